"""The component gateway."""
