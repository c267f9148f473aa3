"""The component metrics-server."""
