"""Errors in reading what a cluster holds."""


class AdoptionError(Exception):
    """Why no cluster file comes of what was read; the message says what to do."""


class ClusterReadError(OSError):
    """Why a cluster cannot be read: kubectl is missing, the cluster is out of reach or refuses."""
