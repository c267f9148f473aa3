"""The component leader-worker-set."""
