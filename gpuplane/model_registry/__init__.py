"""Versions of models in MLflow, and manifests that name them."""
