"""The component gpu-health."""
