"""Constructs of cdk8s for GPU platforms, which render every cluster and stand in any App."""
