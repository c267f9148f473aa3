"""The forms in which a plan is printed."""
