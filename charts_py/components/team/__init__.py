"""The component team."""
