"""The exception of this package."""


class UpstreamError(Exception):
    """A pin, a foreign file, a schema or a tool is missing or wrong; the message is complete."""
