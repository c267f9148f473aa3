"""Workloads that are right for a cluster: what `gpuplane new` prints, and constructs of it."""
