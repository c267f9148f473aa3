"""The component node-readiness."""
