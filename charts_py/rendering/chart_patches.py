"""Patches of an Application whose chart is rendered here, which Argo CD does not do again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jsonpointer import JsonPointer

from charts_py.extensions.patches import PATCHES, is_named_by
from charts_py.objects.document import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.cluster_file.extensions import PatchOperation
    from charts_py.cluster_file.fault import Fault, FieldPath
    from charts_py.objects.document import Document, ObjectKey
    from charts_py.platform.platform import Platform

_HELM = "helm"


@dataclass(frozen=True, slots=True)
class HelmField:
    """A field of an Application's spec that is passed to Helm here, too."""

    path: tuple[str, ...]
    kind: type
    allowed: str
    """What it holds, in words."""
    default: Any = None

    @property
    def name(self) -> str:
        """Its path, as messages have it."""
        return ".".join(("spec", *self.path))

    def of(self, spec: Mapping[str, Any]) -> Any:
        """Return its value; the default where it is missing."""
        *outer, last = self.path
        for key in outer:
            spec = _mapping(spec, key)
        return spec.get(last, self.default)


NAMESPACE = HelmField(("destination", "namespace"), str, "a text")
RELEASE_NAME = HelmField(("source", _HELM, "releaseName"), str, "a text")
VALUES = HelmField(("source", _HELM, "valuesObject"), dict, "a mapping", {})
SKIPS_DEFINITIONS = HelmField(("source", _HELM, "skipCrds"), bool, "true or false", default=False)

_OF_HELM = (RELEASE_NAME, VALUES, SKIPS_DEFINITIONS)
_PASSED_ON = (NAMESPACE, *_OF_HELM)


def refused_patches(
    platform: Platform, spec: Mapping[str, Any], application: Document
) -> Iterator[Fault]:
    """Yield a fault for each patch that changes what cannot be passed to Helm here.

    `spec` is that of the Application without patches. What Argo CD could do with it:
    https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
    """
    key = key_of(application)
    fields: dict[FieldPath, list[str]] = {}
    for field in _changed_otherwise(spec, _mapping(application, "spec")):
        fields.setdefault(_place(platform, key, field), []).append(".".join(field))
    allowed = ", ".join(f"{one.allowed} in {one.name}" for one in _PASSED_ON)
    for place, names in fields.items():
        what = f"changes {', '.join(names)} of {key}, which cannot be applied when rendering"
        yield platform.fault(place, what, f"{allowed}, or gitops.charts: application")


def _changed_otherwise(
    spec: Mapping[str, Any], patched: Mapping[str, Any]
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of fields that a patch changes to what cannot be passed to Helm here."""
    if "sources" in patched:
        yield ("spec", "sources")
    source, other = spec["source"], _mapping(patched, "source")
    for key in sorted({*source, *other} - {_HELM}):
        if source.get(key) != other.get(key):
            yield ("spec", "source", key)
    for key in sorted({*_mapping(other, _HELM)} - {one.path[-1] for one in _OF_HELM}):
        yield ("spec", "source", _HELM, key)
    # Manifests of others are not a chart.
    for one in _PASSED_ON if _HELM in source else (NAMESPACE,):
        if not isinstance(one.of(patched), one.kind):
            yield ("spec", *one.path)


def _place(platform: Platform, application: ObjectKey, field: tuple[str, ...]) -> FieldPath:
    """Return which operation of a patch was the last one that could change a field."""
    return [
        (*PATCHES, index, "operations", number)
        for index, patch in enumerate(platform.cluster.extensions.patches)
        if is_named_by(patch, application)
        for number, operation in enumerate(patch.operations)
        if _may_change(operation, field)
    ][-1]


def _may_change(operation: PatchOperation, field: tuple[str, ...]) -> bool:
    """Whether a path of an operation is that of a field, holds it or is held by it."""
    changed = (operation.path, operation.from_ if operation.op == "move" else None)
    paths = (tuple(JsonPointer(path).parts) for path in changed if path is not None)
    return any(path[: len(field)] == field[: len(path)] for path in paths)


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return what is below a key; nothing where a patch put no mapping there."""
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}
