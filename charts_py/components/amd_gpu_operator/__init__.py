"""The component amd-gpu-operator."""
