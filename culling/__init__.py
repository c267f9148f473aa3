"""Ends what holds GPUs and has not used them: `gpuplane cull`."""
