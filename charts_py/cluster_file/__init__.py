"""The cluster file: its model, and reading it with the line of every value."""
