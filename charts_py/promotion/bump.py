"""By how much a version is raised."""

from collections.abc import Mapping
from enum import StrEnum

from semver import Version

from charts_py.plan.verdict import Verdict


class Bump(StrEnum):
    """Which number of a version is raised (https://semver.org)."""

    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


_BUMPS: Mapping[Verdict, Bump] = {
    Verdict.SAFE: Bump.PATCH,
    Verdict.ROLLING: Bump.MINOR,
    Verdict.DISRUPTIVE: Bump.MAJOR,
    Verdict.IMMUTABLE: Bump.MAJOR,
    Verdict.DANGEROUS: Bump.MAJOR,
}


def bump_of(verdict: Verdict) -> Bump:
    """Return what a plan's verdict asks for: a major one where workloads stop, or data may go."""
    return _BUMPS[verdict]


def bumped(version: str, bump: Bump) -> str:
    """Return the version after a released one."""
    return str(Version.parse(version).next_version(bump.value))
