"""The tool: its commands read arguments and print what the rooms beside them return."""
