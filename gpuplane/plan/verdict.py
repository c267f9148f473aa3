"""How bad it is for running workloads that an object changes."""

from enum import IntEnum, StrEnum


class Verdict(IntEnum):
    """From what nobody notices to what loses data; a greater one is worse."""

    SAFE = 0
    """Nothing that runs is touched."""
    ROLLING = 1
    """Pods restart, a few at a time."""
    DISRUPTIVE = 2
    """Nodes drain, GPUs are laid out anew, or vanish from a team."""
    IMMUTABLE = 3
    """The API server, a webhook or the cloud refuses the change: the object stays as it is until it
    is deleted and created again."""
    DANGEROUS = 4
    """Data, or many objects at once, are lost."""

    @property
    def word(self) -> str:
        """What it is called in reports."""
        return self.name.lower()


class VerdictWord(StrEnum):
    """A verdict, as records and reports call it."""

    SAFE = "safe"
    ROLLING = "rolling"
    DISRUPTIVE = "disruptive"
    IMMUTABLE = "immutable"
    DANGEROUS = "dangerous"

    @property
    def verdict(self) -> Verdict:
        """The verdict of this name."""
        return Verdict[self.name]
