"""What the linter found, as people and programs read it: a function in each module."""
