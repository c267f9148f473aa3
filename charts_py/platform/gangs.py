"""Of which jobs queues start all pods at once."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gangs:
    """Of which jobs an engine of queues starts all pods at once."""

    makes: Callable[[str, str], bool]
    """Returns whether it does so with a job of an `apiVersion` and a `kind` that says nothing."""
    min_member: str | None = None
    """Annotation of a Job by which it does so with so many of its pods."""
    counts_leaders: bool = False
    """Whether a gang waits for pods without GPUs, too, so that these need the same scheduler."""
    others: str = ""
    """What it does with others, and what to take instead: a part of a sentence."""
