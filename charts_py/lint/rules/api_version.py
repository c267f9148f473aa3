"""An object is of a version that the cluster serves, and will for some time.

The tables are `charts_py/lint/api_versions/*.toml`.
"""

from collections.abc import Iterator

from charts_py.lint.api_versions.api_version import (
    CoreVersion,
    CustomState,
    CustomVersion,
    VersionedKind,
    core_versions,
    custom_versions,
)
from charts_py.lint.api_versions.built_in_workloads import served_instead
from charts_py.lint.finding import LintSeverity
from charts_py.lint.lint_object import LintObject
from charts_py.lint.template_rule import TemplateContext, TemplateFinding, TemplateRule
from policies.document import text
from policies.operation import Operation

_POINTER = "/apiVersion"
_CUSTOM = {
    CustomState.DEPRECATED: ("is deprecated in {}", LintSeverity.WARNING),
    CustomState.EXPERIMENTAL: (
        "is served by the experimental channel of {} alone",
        LintSeverity.WARNING,
    ),
    CustomState.REMOVED: ("is not served by {}", LintSeverity.ERROR),
}


def check(one: LintObject, context: TemplateContext) -> Iterator[TemplateFinding]:
    """Find a version that the cluster does not serve (an error), or not for long (a warning)."""
    key = (text(one.document.get("apiVersion")), text(one.document.get("kind")))
    if (core := core_versions().get(key)) is not None:
        yield from _of_core(core, key[1], context.kubernetes)
    elif (custom := custom_versions().get(key)) is not None:
        yield _of_custom(custom, key[1])
    elif (meant := served_instead(*key)) is not None:
        yield _unknown(key, meant)


def _of_core(version: CoreVersion, kind: str, cluster: str) -> Iterator[TemplateFinding]:
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
        yield TemplateFinding(
            _POINTER,
            f"{what} came with Kubernetes {version.introduced}, {runs}.",
            f"Raise the cluster's Kubernetes version before: {version.source}",
            severity=LintSeverity.ERROR,
        )


def _is_reached(minor: str, cluster: str) -> bool:
    return bool(minor) and _order(minor) <= _order(cluster)


def _order(minor: str) -> tuple[int, ...]:
    return tuple(int(part) for part in minor.split("."))


def _outdated(version: CoreVersion, message: str, severity: LintSeverity) -> TemplateFinding:
    if not version.replacement:
        remedy = f"It has no direct replacement: {version.source}"
        return TemplateFinding(_POINTER, message, remedy, severity=severity)
    if not version.same_fields:
        remedy = f"Move it to {version.replacement}, and read what differs: {version.source}"
        return TemplateFinding(_POINTER, message, remedy, severity=severity)
    fix = (Operation("replace", _POINTER, version.replacement),)
    remedy = f"Set apiVersion to {version.replacement}; all else stays as it is."
    return TemplateFinding(_POINTER, message, remedy, fix, severity)


def _of_custom(version: CustomVersion, kind: str) -> TemplateFinding:
    problem, severity = _CUSTOM[version.state]
    return TemplateFinding(
        _POINTER,
        f"{version.api_version} of {kind} {problem.format(version.project)}.",
        f"Move it to {version.replacement}, and read what differs: {version.source}",
        severity=severity,
    )


def _unknown(stated: VersionedKind, meant: VersionedKind) -> TemplateFinding:
    field, allowed = ("apiVersion", meant[0]) if stated[0] != meant[0] else ("kind", meant[1])
    return TemplateFinding(
        f"/{field}",
        f"Kubernetes has no {stated[1]} in {stated[0]}.",
        f"Set {field} to {allowed}.",
        severity=LintSeverity.ERROR,
    )


RULE = TemplateRule(
    "api-version",
    summary="An object is of a version that the cluster serves, and will for some time.",
    severity=LintSeverity.WARNING,
    check=check,
)
