"""The component node-pools."""
