"""Changes of the example clusters, and what `gpuplane plan` says of each in a comment."""
