"""The component node-readiness-controller."""
