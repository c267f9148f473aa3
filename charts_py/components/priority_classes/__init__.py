"""The component priority-classes."""
