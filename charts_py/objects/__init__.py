"""Kubernetes objects: their identity and metadata, how they are written, what several share."""
