"""Versions of APIs that clusters no longer serve, will not for long, or not yet."""
