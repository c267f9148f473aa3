"""The kinds that are served, in which versions, and which one a wrong name means."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

from gpus.nearest import MAX_LENGTH, is_one_typo
from policies.settings import JobKind
from policies.workloads.registry import WORKLOAD_KINDS
from upstream.schema_files import CRDS, committed_kinds, core_folder

_WORKLOADS = frozenset(known.kind for known in WORKLOAD_KINDS)
_ENDING = re.compile(r"(\.sigs|\.k8s|\.x-k8s)*\.[a-z]+$")
"""The top-level domain of a group, with what the projects of Kubernetes put before it."""
VersionedKind: TypeAlias = tuple[str, str]
"""The `apiVersion` and the `kind` of an object."""
ServedVersions: TypeAlias = Mapping[str, Mapping[str, frozenset[str]]]
"""Each `apiVersion` by group and kind; none for a kind whose versions are unknown."""
_PRIORITY = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_STABLE = "stable"
"""Sorts after `alpha` and `beta`."""


def group_of(api_version: str) -> str:
    """Return the group of an `apiVersion`; empty for that of `v1`."""
    return api_version.rpartition("/")[0]


def is_served(api_version: str, kind: str) -> bool:
    """Return whether some minor version of Kubernetes serves a known kind in a version."""
    versions = served_versions().get(group_of(api_version), {}).get(kind)
    return versions is not None and (not versions or api_version in versions)


@cache
def served_versions() -> ServedVersions:
    found: dict[str, dict[str, set[str]]] = {}
    for known in WORKLOAD_KINDS:
        found.setdefault(known.group, {})[known.kind] = set()
    committed = (each for versions in committed_kinds().values() for each in _versions(versions))
    for api_version, kind in (*committed, *_other_kinds()):
        found.setdefault(group_of(api_version), {}).setdefault(kind, set()).add(api_version)
    return {
        group: {kind: frozenset(versions) for kind, versions in kinds.items()}
        for group, kinds in found.items()
    }


@cache
def kubernetes_groups() -> frozenset[str]:
    folders = [versions for folder, versions in committed_kinds().items() if folder != CRDS]
    return frozenset(group_of(api_version) for versions in folders for api_version in versions)


def versions_served(group: str, kind: str, kubernetes: str) -> list[str]:
    """Return each known `apiVersion` of a kind in a minor of Kubernetes, the most stable first.

    Where the minor lacks the kind, the versions of other minors are returned.
    """
    folders = committed_kinds()
    core, crds = _versions(folders[core_folder(kubernetes)]), _versions(folders[CRDS])
    served = {*core, *crds, *_other_kinds()}
    found = [each for each, name in served if (group_of(each), name) == (group, kind)]
    return sorted(found or served_versions()[group][kind], key=_stability, reverse=True)


def _versions(versions: Mapping[str, tuple[str, ...]]) -> Iterator[VersionedKind]:
    return ((each, kind) for each, kinds in versions.items() for kind in kinds)


@cache
def _other_kinds() -> tuple[VersionedKind, ...]:
    rows = read_table("other_kinds")
    return tuple((row["api_version"], kind) for row in rows for kind in row["kinds"])


def read_table(name: str) -> list[dict[str, Any]]:
    """Read the rows of a table of `api_versions/`."""
    text = (files("gpuplane.lint") / "api_versions" / f"{name}.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["version"]
    return rows


def _stability(api_version: str) -> tuple[str, int, int]:
    """Return a key that orders versions as the API server does.

    https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
    """
    found = _PRIORITY.fullmatch(api_version.rpartition("/")[2])
    major, stage, minor = found.groups() if found else ("0", "", None)
    return _STABLE if found and stage is None else stage or "", int(major), int(minor or 0)


@lru_cache(maxsize=1024)
def meant_kind(group: str, kind: str) -> JobKind | None:
    """Return the kind that a kind which is not served means; None where it may be anybody's.

    Its name differs by case or by one letter, or else its group is another one.
    """
    if max(len(group), len(kind)) > MAX_LENGTH:
        return None
    lower = group.casefold()
    if (near := _near_name(kind, served_versions().get(lower, ()))) is not None:
        return JobKind(lower, near)
    places = [each for each in _elsewhere(kind) if _is_mistaken(lower, each)]
    return min(places, key=lambda each: (not _is_near(lower, each.group), each.group), default=None)


def _near_name(kind: str, known: Iterable[str]) -> str | None:
    names = {each.casefold(): each for each in known}
    declared = kind.casefold()
    typo = (name for spelled, name in names.items() if is_one_typo(declared, spelled))
    return names.get(declared) or next(typo, None)


def _elsewhere(kind: str) -> Iterator[JobKind]:
    for group, kinds in served_versions().items():
        yield from (JobKind(group, each) for each in kinds if each.casefold() == kind.casefold())


def _is_mistaken(group: str, meant: JobKind) -> bool:
    """Whether a group that has no such kind stands for the one that does.

    The group of a definition has a dot, so that no other group has a workload.
    https://github.com/kubernetes/kubernetes/blob/v1.37.0/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
    Others do have kinds that are called like those of Kubernetes, such as a PodGroup.
    """
    if "." not in group and meant.kind in _WORKLOADS:
        return True
    if meant.group in kubernetes_groups():
        return is_one_typo(group, meant.group)
    return _is_near(group, meant.group)


def _is_near(group: str, known: str) -> bool:
    """Whether one is a typo of the other, ends otherwise, or is a domain of it."""
    return (
        is_one_typo(group, known)
        or _ENDING.sub("", group) == _ENDING.sub("", known)
        or group.endswith(f".{known}")
        or known.endswith(f".{group}")
    )
