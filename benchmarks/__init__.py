"""Measurements; each module is run by a make target and prints a table."""
