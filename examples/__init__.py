"""Manifests of GPU workloads as people write them, and a demonstration of what admission does."""
