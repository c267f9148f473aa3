"""The component gpu-repair."""
