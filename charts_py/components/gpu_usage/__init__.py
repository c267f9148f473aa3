"""The component gpu-usage."""
