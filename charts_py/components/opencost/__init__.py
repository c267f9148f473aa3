"""The component opencost."""
