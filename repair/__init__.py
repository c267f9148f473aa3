"""Repairs nodes with broken GPUs that nothing runs on any more: `gpuplane repair`."""
