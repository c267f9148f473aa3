"""The effects of a changed object on a running cluster, and how bad they are for workloads."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from gpuplane.plan.rollout import Rollout
from gpuplane.versions.comparison import PlacedObject


class Verdict(IntEnum):
    """The verdicts, from what nobody notices to what loses data; a greater one is worse."""

    SAFE = 0
    """Nothing that runs is touched."""
    DEFERRED = 1
    """What runs stays, and may be refused, or wait, when it starts again."""
    ROLLING = 2
    """Pods restart, a few at a time."""
    DISRUPTIVE = 3
    """Nodes drain, GPUs are laid out anew, or vanish from a team."""
    IMMUTABLE = 4
    """The API server, a webhook or the cloud refuses the change: the object stays as it is until it
    is deleted and created again."""
    DANGEROUS = 5
    """Data, or many objects at once, are lost."""

    @property
    def word(self) -> str:
        return self.name.lower()


VerdictWord = StrEnum("VerdictWord", "SAFE DEFERRED ROLLING DISRUPTIVE IMMUTABLE DANGEROUS")
"""A verdict by its name in records."""


class Change(StrEnum):
    """What becomes of an object."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    UPGRADED = "upgraded"
    """It stays as it is, while the control plane of its cluster is upgraded."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one change of a field, or of the object as a whole, does."""

    verdict: Verdict
    field: str
    """A path such as `spec.template.spec.taints`; empty for the object as a whole."""
    reason: str
    """A full sentence: what happens, and why."""
    source: str
    """The URL of the source, at a version where it has one; empty where nothing is known."""
    is_certain: bool = True
    """Whether it was read in the source, rather than reported or concluded."""
    is_known: bool = True
    """Whether anything is known of such a change; else the verdict is a guess, and says so."""
    is_possible: bool = False
    """Whether nobody knows that it happens at all, so that it may."""
    asks_nobody: bool = False
    """Whether nobody has to act, so that a minor step of the version is enough."""
    is_noise: bool = False
    """Whether the field only describes the object to people and tools."""
    rollouts: tuple[Rollout, ...] = ()
    """The rollouts by which it reaches nodes, one a pool."""
    pools: tuple[str, ...] = ()
    told: str = ""
    """What the first sentence says of all objects with it: see `object_clauses`."""


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """An object that differs, with all effects of its change; the worst comes first."""

    placed: PlacedObject
    change: Change
    effects: tuple[Effect, ...]
    pools: tuple[str, ...] = ()
    """The pools that it is about, sorted."""
    team: str | None = None
    is_held: bool = False
    """Whether Argo CD waits with the removal until somebody confirms it."""
    is_implied: bool = False
    """Whether it goes with its namespace, whose removal says all that is lost."""

    @property
    def verdict(self) -> Verdict:
        return max((each.verdict for each in self.effects), default=Verdict.SAFE)

    @property
    def is_noise(self) -> bool:
        return all(each.is_noise for each in self.effects)

    @property
    def rollouts(self) -> tuple[Rollout, ...]:
        return tuple(dict.fromkeys(way for each in self.effects for way in each.rollouts))
