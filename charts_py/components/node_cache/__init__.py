"""The component node-cache."""
