"""What a cluster makes of a pasted manifest, as `gpuplane playground` shows it."""
