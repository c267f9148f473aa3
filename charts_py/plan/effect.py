"""What a changed object does on a running cluster."""

from dataclasses import dataclass
from enum import StrEnum

from charts_py.plan.verdict import Verdict
from charts_py.release.diff.objects import PlacedObject


class Change(StrEnum):
    """What becomes of an object."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Effect:
    """What one change of a field, or of the object as a whole, does."""

    verdict: Verdict
    field: str
    """As `spec.template.spec.taints`; empty for the object as a whole."""
    reason: str
    """A full sentence: what happens, and why."""
    source: str
    """URL of what says so, at a version where it has one."""
    is_certain: bool = True
    """Whether it was read in the source, rather than reported or concluded."""


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """An object that differs, with all that its change does; the worst effect comes first."""

    placed: PlacedObject
    change: Change
    effects: tuple[Effect, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of its effects."""
        return max((each.verdict for each in self.effects), default=Verdict.SAFE)
