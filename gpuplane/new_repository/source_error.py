"""Errors in where gpuplane comes from."""


class SourceError(Exception):
    """Why a new repository cannot get gpuplane from there; the message says what is allowed."""
