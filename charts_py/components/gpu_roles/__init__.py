"""The component gpu-roles."""
