"""What `gpuplane queues` shows: who has what of each pool, and who lends to whom."""
