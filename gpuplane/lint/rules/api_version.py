"""An object is of a version that the cluster serves, and will continue to serve.

The tables are `gpuplane/lint/api_versions/*.toml`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_kinds import (
    VersionedKind,
    group_of,
    is_served,
    kubernetes_groups,
    meant_kind,
    read_table,
    versions_served,
)
from policies.document import shown, text
from policies.operation import Operation
from policies.settings import JobKind

_POINTER = "/apiVersion"


@dataclass(frozen=True, slots=True)
class CoreVersion:
    """A version of some kinds of Kubernetes itself; minors are such as `1.36`."""

    api_version: str
    kinds: Sequence[str]
    source: str
    introduced: str = ""
    """The minor with which it came, where a supported one lacks it."""
    deprecated: str = ""
    """The minor from which the API server warns of it."""
    removed: str = ""
    """The minor from which it is not served."""
    replacement: str = ""
    """The `apiVersion` to take instead; empty where there is none."""
    same_fields: bool = False
    """Whether the replacement takes every object as it is, and means the same by it."""


class CustomState(StrEnum):
    DEPRECATED = "deprecated"
    EXPERIMENTAL = "experimental"
    """Only the definitions of the experimental channel serve it."""
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class CustomVersion:
    api_version: str
    kinds: Sequence[str]
    project: str
    """Who serves them, with the release that this one installs or is tested against."""
    state: CustomState
    replacement: str
    """The `apiVersion` to take instead, and the kind where that is another."""
    source: str


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    key = (text(one.document.get("apiVersion")), text(one.document.get("kind")))
    if (core := core_versions().get(key)) is not None:
        yield from _of_core(core, key[1], context.facts.kubernetes)
    elif (custom := custom_versions().get(key)) is not None:
        yield _of_custom(custom, key[1])
    elif not is_served(*key) and (meant := meant_kind(group_of(key[0]), key[1])) is not None:
        yield _unknown(key, meant, context.facts.kubernetes)


def _of_core(version: CoreVersion, kind: str, cluster: str) -> Iterator[RuleFinding]:
    what = f"{version.api_version} of {kind}"
    runs = f"and the cluster runs {cluster}"
    if _is_reached(version.removed, cluster):
        message = f"{what} was removed in Kubernetes {version.removed}, {runs}."
        yield _outdated(version, message, LintSeverity.ERROR)
    elif _is_reached(version.deprecated, cluster):
        end = f", and removed in {version.removed}" if version.removed else ""
        message = f"{what} is deprecated since Kubernetes {version.deprecated}{end}."
        yield _outdated(version, message, LintSeverity.WARNING)
    elif version.introduced and not _is_reached(version.introduced, cluster):
        yield RuleFinding(
            _POINTER,
            f"{what} came with Kubernetes {version.introduced}, {runs}.",
            f"Raise the cluster's Kubernetes version before: {version.source}",
            severity=LintSeverity.ERROR,
        )


def _outdated(version: CoreVersion, message: str, severity: LintSeverity) -> RuleFinding:
    fix: tuple[Operation, ...] = ()
    if not version.replacement:
        remedy = f"It has no direct replacement: {version.source}"
    elif not version.same_fields:
        remedy = f"Move it to {version.replacement}, and read what differs: {version.source}"
    else:
        remedy = f"Set apiVersion to {version.replacement}; all else stays as it is."
        fix = (Operation("replace", _POINTER, version.replacement),)
    return RuleFinding(_POINTER, message, remedy, fix, severity)


def _of_custom(version: CustomVersion, kind: str) -> RuleFinding:
    problem, severity = _CUSTOM[version.state]
    return RuleFinding(
        _POINTER,
        f"{version.api_version} of {kind} {problem.format(version.project)}.",
        f"Move it to {version.replacement}, and read what differs: {version.source}",
        severity=severity,
    )


def _unknown(declared: VersionedKind, meant: JobKind, cluster: str) -> RuleFinding:
    api_version, kind = declared
    who = "Kubernetes has" if meant.group in kubernetes_groups() else "There is"
    kind_instead = "" if kind == meant.kind else meant.kind
    right = {"apiVersion": _instead(api_version, meant, cluster), "kind": kind_instead}
    changes = {field: value for field, value in right.items() if value}
    return RuleFinding(
        f"/{next(iter(changes))}",
        f"{who} no {shown(kind)} in {shown(api_version)}.",
        f"Set {' and '.join(f'{field} to {value}' for field, value in changes.items())}.",
        severity=LintSeverity.ERROR,
    )


def _instead(api_version: str, meant: JobKind, cluster: str) -> str:
    """Return the versions to state instead; empty where nothing better is known."""
    served = versions_served(meant.group, meant.kind, cluster)
    if api_version in served:
        return ""
    if not served and group_of(api_version) != meant.group:
        return f"a version of {meant.group}"
    lasting = [each for each in served if not _is_outdated((each, meant.kind), cluster)]
    return " or ".join(lasting or served)


def _is_outdated(key: VersionedKind, cluster: str) -> bool:
    core = core_versions().get(key)
    return key in custom_versions() or (core is not None and _is_reached(core.deprecated, cluster))


def _is_reached(minor: str, cluster: str) -> bool:
    at, running = ([*map(int, one.split("."))] for one in (minor or "0", cluster))
    return bool(minor) and at <= running


@cache
def core_versions() -> Mapping[VersionedKind, CoreVersion]:
    return _by_kind(CoreVersion(**row) for row in read_table("kubernetes"))


@cache
def custom_versions() -> Mapping[VersionedKind, CustomVersion]:
    rows = read_table("custom_resources")
    return _by_kind(CustomVersion(**row | {"state": CustomState(row["state"])}) for row in rows)


def _by_kind(versions: Iterable[CoreVersion | CustomVersion]) -> dict[VersionedKind, Any]:
    return {(each.api_version, kind): each for each in versions for kind in each.kinds}


RULE = LintRule(
    "api-version",
    "An object is of a version that the cluster serves, and will continue to serve.",
    check,
    of_patches=True,
)
_CUSTOM = {
    CustomState.DEPRECATED: ("is deprecated in {}", LintSeverity.WARNING),
    CustomState.EXPERIMENTAL: (
        "is served by the experimental channel of {} alone",
        LintSeverity.WARNING,
    ),
    CustomState.REMOVED: ("is not served by {}", LintSeverity.ERROR),
}
