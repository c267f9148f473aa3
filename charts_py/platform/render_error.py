"""The error of a cluster file that reads well, and cannot be rendered."""


class RenderError(Exception):
    """Why a cluster cannot be rendered; the message names cluster, culprit and remedy."""
