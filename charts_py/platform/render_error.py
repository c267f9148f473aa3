"""What can go wrong after a cluster file was read without a fault."""


class RenderError(Exception):
    """Why a cluster cannot be rendered; the message names cluster, culprit and remedy."""
