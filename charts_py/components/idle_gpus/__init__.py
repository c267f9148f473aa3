"""The component idle-gpus."""
