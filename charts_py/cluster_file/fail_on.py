"""From which verdict on a plan fails."""

from enum import StrEnum


class FailOn(StrEnum):
    """The least verdict of `gpuplane plan` that makes it fail."""

    ROLLING = "rolling"
    DISRUPTIVE = "disruptive"
    IMMUTABLE = "immutable"
    DANGEROUS = "dangerous"
    NEVER = "never"
