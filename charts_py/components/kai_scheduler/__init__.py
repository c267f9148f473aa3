"""The component kai-scheduler."""
