"""The component gpu-sharing."""
