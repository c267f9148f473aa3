"""Says what a change does to running clusters, as `gpuplane plan` reports it."""
