"""A part of a plan, however it is printed."""

from dataclasses import dataclass

from gpuplane.plan.parts.reported_effect import ReportedObjects
from gpuplane.tables import Table


@dataclass(frozen=True, slots=True)
class Part:
    """Objects or tables under a heading, and what to do about them."""

    title: str
    objects: tuple[ReportedObjects, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    """Full sentences."""
    commands: tuple[str, ...] = ()
    """What to run next, as a shell reads it."""
    is_detail: bool = False
    """Whether it is to be opened first, where that is possible."""
