"""The component gpu-metrics."""
