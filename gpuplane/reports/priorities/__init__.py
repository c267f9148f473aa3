"""Which pods may evict which for the room that they need: `gpuplane priorities`."""
