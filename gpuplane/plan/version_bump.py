"""Finds the step of the version that a change asks for, by the worst that it does."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import semver

from gpuplane.plan.effect import Effect, PlannedObject, Verdict
from gpuplane.plan.kubernetes_upgrade import upgraded
from gpuplane.plan.object_change import ChangeContext
from gpuplane.plan.pin_change import PinChange, PinnedSide, PinRecord, pin_changes
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import VersionReader
from gpuplane.versions.record import is_prerelease
from gpuplane.versions.snapshot import ClusterSnapshot


class Step(IntEnum):
    """The first number of a version that is greater."""

    NONE = 0
    PATCH = 1
    """Nothing that runs is touched."""
    MINOR = 2
    """Pods restart, a few at a time."""
    MAJOR = 3
    """Somebody has to plan it: nodes drain, objects are deleted, or a sync fails."""

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class VersionBump:
    """The step that a change asks for, beside the one that the cluster file declares."""

    old: str
    new: str
    asked: Step

    @property
    def declared(self) -> Step:
        """The step from the old version to the new one; a suffix counts as the version itself."""
        before, after = (semver.Version.parse(each).to_dict() for each in (self.old, self.new))
        steps = (Step.MAJOR, Step.MINOR, Step.PATCH)
        return next((step for step in steps if before[step.word] != after[step.word]), Step.NONE)

    @property
    def is_enough(self) -> bool:
        return self.declared >= self.asked

    @property
    def least(self) -> str:
        return raised(self.old, self.asked)


def version_bump(old: str | None, new: str | None, asked: Step) -> VersionBump | None:
    """Return the step that a change from one version to another asks for.

    Returns None where a side has no version, and where the new one is lower: a roll back declares
    what ran before.
    """
    if old is None or new is None or semver.Version.parse(new) < semver.Version.parse(old):
        return None
    return VersionBump(old, new, asked)


def bump_since_release(
    new: str, side: PinnedSide, snapshot: ClusterSnapshot, records: Iterable[PinRecord]
) -> VersionBump | None:
    """Return the step from the last release before a version, such as from 1.0.0 to 1.1.0-rc.2.

    Returns None where the snapshot has no such release.
    """
    names = (each for each in snapshot.versions if each != new)
    previous = previous_release(new, released_versions(names))
    if previous is None:
        return None
    record = snapshot.record(previous)
    old = PinnedSide(VersionReader().objects_of(snapshot.tree(previous)), record)
    changed = planned_objects(old.documents, side.documents, ChangeContext(tuple(records)))
    objects = (*changed, *upgraded(record, side))
    return version_bump(previous, new, asked_step(objects, pin_changes(old, side, records)))


def asked_step(objects: Iterable[PlannedObject], pins: Iterable[PinChange]) -> Step:
    """Return the step that changes ask for: a major one where somebody has to act."""
    of_objects = (_step_of(effect) for each in objects for effect in each.effects)
    of_pins = (_step(each.verdict) for each in pins)
    return max((*of_objects, *of_pins), default=Step.PATCH)


def _step_of(effect: Effect) -> Step:
    step = _step(effect.verdict)
    return min(step, Step.MINOR) if effect.asks_nobody else step


def _step(verdict: Verdict) -> Step:
    if verdict <= Verdict.DEFERRED:
        return Step.PATCH
    return Step.MINOR if verdict is Verdict.ROLLING else Step.MAJOR


def previous_release(stated: str, released: Iterable[str]) -> str | None:
    limit = semver.Version.parse(stated)
    earlier = (each for each in map(semver.Version.parse, released) if each <= limit)
    return max(map(str, earlier), key=semver.Version.parse, default=None)


def released_versions(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        name for name in names if semver.Version.is_valid(name) and not is_prerelease(name)
    )


def raised(version: str, step: Step) -> str:
    if step is Step.NONE:
        return version
    return str(semver.Version.parse(version).finalize_version().next_version(step.word))
