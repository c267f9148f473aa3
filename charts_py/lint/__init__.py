"""What is wrong with manifests, as `gpuplane lint` tells it."""
