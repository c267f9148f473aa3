"""What a cluster has before its first sync, because the platform does not bring it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prerequisite:
    """One thing that somebody else brings; all texts are Markdown, each of one line."""

    name: str
    """What it is, with what it must fulfil and how to have it."""
    needed: str = "always"
    """When it is needed, and which field goes without it."""
    checked: str | None = None
    """What is checked of it, and by what; None where it is stated here alone."""
    without: str
    """What happens where it is missing."""
