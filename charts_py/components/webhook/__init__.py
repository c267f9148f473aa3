"""The component webhook."""
