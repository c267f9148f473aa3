"""The step of the version that a change asks for, by the worst that it does."""

from dataclasses import dataclass
from enum import IntEnum

import semver

from gpuplane.plan.effect import Verdict


class Step(IntEnum):
    """How much greater a version is, by the first of its numbers that is."""

    NONE = 0
    PATCH = 1
    """Nothing that runs is touched."""
    MINOR = 2
    """Pods restart, a few at a time."""
    MAJOR = 3
    """Somebody has to plan it: nodes drain, objects are deleted, or a sync fails."""

    @property
    def word(self) -> str:
        """What it is called in reports."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class VersionBump:
    """The step that a change asks for, beside the one that the cluster file states."""

    old: str
    new: str
    asked: Step

    @property
    def stated(self) -> Step:
        """The step from the old version to the new one; a suffix counts as the version itself."""
        before, after = (semver.Version.parse(each) for each in (self.old, self.new))
        if after.major != before.major:
            return Step.MAJOR
        if after.minor != before.minor:
            return Step.MINOR
        return Step.PATCH if after.patch != before.patch else Step.NONE

    @property
    def is_enough(self) -> bool:
        """Whether the cluster file states at least the step that is asked for."""
        return self.stated >= self.asked

    @property
    def least(self) -> str:
        """The least version that is enough."""
        return raised(self.old, self.asked)


def version_bump(old: str | None, new: str | None, worst: Verdict) -> VersionBump | None:
    """Return what a change from one version to another asks for.

    None where there is no version on one side, and where the new one is lower: a roll back states
    what ran before.
    """
    if old is None or new is None or semver.Version.parse(new) < semver.Version.parse(old):
        return None
    return VersionBump(old, new, step_of(worst))


def step_of(worst: Verdict) -> Step:
    """Return the step that a verdict asks for: a major one where workloads stop, or data may go."""
    if worst is Verdict.SAFE:
        return Step.PATCH
    return Step.MINOR if worst is Verdict.ROLLING else Step.MAJOR


def raised(version: str, step: Step) -> str:
    """Return the least version that is a step above another one."""
    if step is Step.NONE:
        return version
    return str(semver.Version.parse(version).finalize_version().next_version(step.word))
