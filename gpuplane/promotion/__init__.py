"""Cutting versions, moving them along a chain of clusters, and deleting old ones."""
