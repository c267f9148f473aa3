"""Parts of a manifest that the rules would pass over, since a pod has none of that type there.

To the rules, what they cannot read is absent, as it is to the webhook: the API server has refused
such a pod before. Here nobody has, and a GPU that is asked for below would be found by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from charts_py.spec.fault import Fault, FieldPath, Problem
from charts_py.spec.translation import type_of
from policies.document import pointer, text, unescaped
from policies.workloads.kubernetes_kinds import KUBERNETES_KINDS
from policies.workloads.place import at
from policies.workloads.registry import workload_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.admission.manifest_file import ManifestObject

_Shape: TypeAlias = "Mapping[str, _Shape] | list[_Shape]"
"""A mapping with what some of its members are; or a list, with what each of its items is."""

_ANY: _Shape = {}
_CONTAINERS: _Shape = [{"resources": {"limits": _ANY, "requests": _ANY, "claims": [_ANY]}}]
_TEMPLATE: _Shape = {
    "metadata": {"labels": _ANY, "annotations": _ANY},
    "spec": {
        "containers": _CONTAINERS,
        "initContainers": _CONTAINERS,
        "ephemeralContainers": _CONTAINERS,
        "resourceClaims": [_ANY],
        "nodeSelector": _ANY,
        "affinity": _ANY,
        "tolerations": [_ANY],
        "volumes": [_ANY],
    },
}
"""What the rules read of a pod, as far down as a GPU is asked for."""
_AN_OBJECT = "a mapping with apiVersion and kind"


def unread_parts(one: ManifestObject) -> Iterator[Fault]:
    """Yield a fault for each part of an object, or of a List of them, that is not read."""
    for problem in _of_object(one.document, ()):
        yield Fault(one.mark_of(pointer(*problem.path)), problem)


def _of_object(document: Any, path: FieldPath) -> Iterator[Problem]:
    kind = text(document.get("kind")) if isinstance(document, dict) else ""
    if not kind:
        yield Problem(path, "not an object", _AN_OBJECT)
    elif kind == "List" or (kind.endswith("List") and "items" in document):
        yield from _of_list(document.get("items"), (*path, "items"))
    else:
        group, slash, _ = text(document.get("apiVersion")).partition("/")
        yield from _of_workload(document, group if slash else "", kind, path)


def _of_list(items: Any, path: FieldPath) -> Iterator[Problem]:
    if not isinstance(items, list):
        yield Problem(path, type_of(items, "array"), "a list of objects")
    elif not items:
        yield Problem(path, "empty", "a list with at least 1 object")
    else:
        for index, item in enumerate(items):
            yield from _of_object(item, (*path, index))


def _of_workload(document: Any, group: str, kind: str, path: FieldPath) -> Iterator[Problem]:
    known = workload_kind(group, kind)
    for place in known.templates if known else ():
        found = [(place_of, template) for place_of, template in at(document, place) if template]
        for place_of, template in found:
            yield from _of_template(template, (*path, *_path(place_of)))
        if not found and known in KUBERNETES_KINDS:
            yield Problem((*path, *_path(place)), "missing", "a mapping with spec")


def _path(place: str) -> FieldPath:
    steps = map(unescaped, place.split("/")[1:])
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def _of_template(template: Any, path: FieldPath) -> Iterator[Problem]:
    yield from _misshapen(template, _TEMPLATE, path)
    if not isinstance(template, dict):
        return
    spec = template.get("spec")
    if spec is None:
        yield Problem((*path, "spec"), "missing", "a mapping with containers")
    elif isinstance(spec, dict) and spec.get("containers") is None:
        yield Problem((*path, "spec", "containers"), "missing", "a list")


def _misshapen(value: Any, shape: _Shape, path: FieldPath) -> Iterator[Problem]:
    if isinstance(shape, list):
        if not isinstance(value, list):
            yield Problem(path, type_of(value, "array"), "a list")
            return
        for index, item in enumerate(value):
            yield from _misshapen(item, shape[0], (*path, index))
    elif not isinstance(value, dict):
        yield Problem(path, type_of(value, "object"), "a mapping")
    else:
        for name, inner in shape.items():
            if value.get(name) is not None:
                yield from _misshapen(value[name], inner, (*path, name))
