"""The component monitoring."""
