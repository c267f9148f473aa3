"""The table of what changes do, a module a topic."""
