"""The component gpu-operator-quota."""
