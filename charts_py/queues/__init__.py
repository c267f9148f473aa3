"""What `gpuplane queues` tells: who has what of each pool, and who lends to whom."""
