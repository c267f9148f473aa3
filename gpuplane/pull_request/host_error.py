"""Errors of the host that a pull request is on."""


class HostError(Exception):
    """Why the comment cannot be written; the message has the host's own words, and no token."""
