"""The component gpu-operator."""
