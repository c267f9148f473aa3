"""The component node-feature-discovery."""
