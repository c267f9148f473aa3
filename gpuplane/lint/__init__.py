"""What is wrong with manifests, as `gpuplane lint` reports it."""
