"""Which kinds are served, and in which versions."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from gpuplane.lint.api_versions.api_version import VersionedKind
from policies.workloads.registry import WORKLOAD_KINDS
from upstream.schema_files import CRDS, core_folder
from upstream.served_kinds import committed_kinds

ServedVersions: TypeAlias = Mapping[str, Mapping[str, frozenset[str]]]
"""Each `apiVersion` by group and kind; none where a kind is known, and its versions are not."""

_PRIORITY = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_STABLE = "stable"
"""Sorts after `alpha` and `beta`."""


def group_of(api_version: str) -> str:
    """Return the group of an `apiVersion`; empty for that of `v1`."""
    return api_version.rpartition("/")[0]


def is_served(api_version: str, kind: str) -> bool:
    """Return whether a known kind is served in a version, by some minor version of Kubernetes."""
    versions = served_versions().get(group_of(api_version), {}).get(kind)
    return versions is not None and (not versions or api_version in versions)


@cache
def served_versions() -> ServedVersions:
    """Return what is known of all kinds, of workloads and others."""
    found: dict[str, dict[str, set[str]]] = {}
    for known in WORKLOAD_KINDS:
        found.setdefault(known.group, {})[known.kind] = set()
    for api_version, kind in _served():
        found.setdefault(group_of(api_version), {}).setdefault(kind, set()).add(api_version)
    return {
        group: {kind: frozenset(versions) for kind, versions in kinds.items()}
        for group, kinds in found.items()
    }


@cache
def kubernetes_groups() -> frozenset[str]:
    """Return the groups of Kubernetes' own kinds."""
    folders = [versions for folder, versions in committed_kinds().items() if folder != CRDS]
    return frozenset(group_of(api_version) for versions in folders for api_version in versions)


def versions_served(group: str, kind: str, kubernetes: str) -> list[str]:
    """Return each known `apiVersion` of a kind in a minor of Kubernetes, the most stable first.

    Where the minor does not have the kind, they are those of the minors that do.
    """
    folders = committed_kinds()
    core, crds = _versions(folders[core_folder(kubernetes)]), _versions(folders[CRDS])
    served = {*core, *crds, *_other_kinds()}
    found = [each for each, name in served if (group_of(each), name) == (group, kind)]
    return sorted(found or served_versions()[group][kind], key=_stability, reverse=True)


def _served() -> Iterator[VersionedKind]:
    for versions in committed_kinds().values():
        yield from _versions(versions)
    yield from _other_kinds()


def _versions(versions: Mapping[str, tuple[str, ...]]) -> Iterator[VersionedKind]:
    return ((each, kind) for each, kinds in versions.items() for kind in kinds)


@cache
def _other_kinds() -> tuple[VersionedKind, ...]:
    rows = tomllib.loads((files(__package__) / "other_kinds.toml").read_text(encoding="utf-8"))
    return tuple((row["api_version"], kind) for row in rows["version"] for kind in row["kinds"])


def _stability(api_version: str) -> tuple[str, int, int]:
    """Return what orders versions as the API server does.

    https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
    """
    found = _PRIORITY.fullmatch(api_version.rpartition("/")[2])
    major, stage, minor = found.groups() if found else ("0", "", None)
    return _STABLE if found and stage is None else stage or "", int(major), int(minor or 0)
