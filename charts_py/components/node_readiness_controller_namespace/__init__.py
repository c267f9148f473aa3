"""The component node-readiness-controller-namespace."""
