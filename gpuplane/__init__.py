"""The command line: it reads arguments, calls the rooms below, and prints what they return."""
