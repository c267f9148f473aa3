"""What the page asks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A manifest, and the cluster that it is for."""

    cluster: str
    manifest: str
    namespace: str = ""
    """Takes the place of those that objects name; empty for none."""
