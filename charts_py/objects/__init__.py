"""Kubernetes objects: what identifies and marks one, how it is written, what several share."""
