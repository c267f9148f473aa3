"""A plan, part by part, however it is printed."""
