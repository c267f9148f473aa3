"""Whether reviews should be sent here."""


class Readiness:
    """Ready from the start, since files are read before it, until draining."""

    def __init__(self) -> None:
        self.draining = False
        """Whether the server is about to stop."""
