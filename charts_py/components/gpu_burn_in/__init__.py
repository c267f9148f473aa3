"""The component gpu-burn-in."""
