"""A model registry, by the MLflow that its image has."""
