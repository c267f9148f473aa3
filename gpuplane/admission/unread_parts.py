"""Parts of a manifest that the rules would pass over, since a pod has no such type there.

The rules treat what they cannot read as absent. That is safe in the webhook, because the API server
has refused such a pod before. In a file nobody has, and a request for GPUs below would be missed.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import yaml

from charts_py.cluster_file.fault import Fault, FieldPath, Problem, type_of
from gpuplane.admission.manifest_file import ManifestObject
from gpus.nearest import is_one_typo
from policies.document import pointer, steps_of, text
from policies.workloads.place import EVERY, at
from policies.workloads.registry import WorkloadKind, workload_kind

_WHOLE_TEMPLATES = ("", "apps", "batch", "apps.kruise.io")
"""API groups of Kubernetes, and of OpenKruise, whose kinds have nothing but whole templates."""


Shape: TypeAlias = Any
"""A type as `pod_shape.yaml` states it; in a tuple, that of each in a list or a mapping."""
_ANY: Shape = {}
_SCALARS = {"string": (str, "a string"), "boolean": (bool, "true or false")}
_COLLECTIONS: Mapping[type, tuple[type, ...]] = {dict: (dict,), list: (list,), tuple: (list, dict)}
_NAMES: Mapping[type, str] = {list: "a list", dict: "a mapping"}
_AN_OBJECT = "a mapping with apiVersion and kind"


@cache
def stated_shapes() -> Mapping[str, Shape]:
    """Return those of `pod_shape.yaml`: of the metadata of any object, pod templates, and kinds."""
    content = (files("gpuplane.admission") / "pod_shape.yaml").read_bytes()
    shapes: Mapping[str, Shape] = yaml.load(content, yaml.CSafeLoader)
    return shapes


def unread_parts(one: ManifestObject) -> Iterator[Fault]:
    """Yield a fault for each part of an object, or of a List of them, that is not read."""
    for problem in _check_object(one.document, ()):
        yield Fault(one.mark_of(pointer(*problem.path)), problem)


def _check_object(document: Any, path: FieldPath) -> Iterator[Problem]:
    kind = text(document.get("kind")) if isinstance(document, dict) else ""
    if not kind:
        yield Problem(path, "not an object", _AN_OBJECT)
    elif kind == "List" or (kind.endswith("List") and "items" in document):
        yield from _check_list(document.get("items"), (*path, "items"))
    else:
        group, slash, _ = text(document.get("apiVersion")).partition("/")
        shapes = stated_shapes()
        problems = [*_check_shape(document, {"metadata": shapes["metadata"]}, path)]
        problems += _check_shape(document, shapes.get(f"{kind}.{group}", _ANY), path)
        if (known := workload_kind(group if slash else "", kind)) is not None:
            problems += _check_templates(document, known, path)
            problems += _check_others(document, known, path)
        yield from dict.fromkeys(problems)  # places have their first steps in common


def _check_list(items: Any, path: FieldPath) -> Iterator[Problem]:
    if not isinstance(items, list):
        yield Problem(path, type_of(items, "array"), "a list of objects")
    elif not items:
        yield Problem(path, "empty", "a list with at least 1 object")
    else:
        for index, item in enumerate(items):
            yield from _check_object(item, (*path, index))


def _check_templates(document: Any, known: WorkloadKind, path: FieldPath) -> Iterator[Problem]:
    for place in known.templates:
        wrong = tuple(
            _check_shape(document, _shape_above(place, stated_shapes()["template"]), path)
        )
        misspelled = tuple(
            Problem((*path, *_path(holder), name), "unknown field", nearest=(meant,))
            for holder, name, meant in misspelled_fields(document, place)
        )
        yield from wrong or misspelled or _check_missing(document, place, known, path)


def _check_others(document: Any, known: WorkloadKind, path: FieldPath) -> Iterator[Problem]:
    for place in known.wrapped:
        yield from _check_shape(document, _shape_above(place, _ANY), path)
    for place, _ in known.parts:
        yield from _check_shape(document, _shape_above(place, stated_shapes()["part"]), path)
    for place in known.wrapped:
        for place_of, wrapped in at(document, place):
            if isinstance(wrapped, dict):
                yield from _check_object(wrapped, (*path, *_path(place_of)))


def _shape_above(place: str, shape: Shape) -> Shape:
    """Return the shape of an object that has `shape` at a place, also in lists or mappings."""
    for step in reversed(place.split("/")[1:]):
        shape = (shape,) if step == EVERY else {step: shape}
    return shape


def _check_missing(
    document: Any, place: str, known: WorkloadKind, path: FieldPath
) -> Iterator[Problem]:
    found = [(place_of, template) for place_of, template in at(document, place) if template]
    for place_of, template in found:
        spec, at_spec = template.get("spec"), (*path, *_path(place_of), "spec")
        if spec is None:
            yield Problem(at_spec, "missing", "a mapping with containers")
        elif spec.get("containers") is None:
            yield Problem((*at_spec, "containers"), "missing", "a list")
    if not found and known.group in _WHOLE_TEMPLATES:
        yield Problem((*path, *_path(place)), "missing", "a mapping with spec")


def _path(place: str) -> FieldPath:
    return tuple(int(step) if step.isdecimal() else step for step in steps_of(place))


def misspelled_fields(document: Any, place: str) -> Iterator[tuple[str, str, str]]:
    """Yield fields whose names are probably typos of those that lead to a place.

    Each comes with the JSON Pointer to what holds it, its name, and the name that is meant. The
    names differ by a single typo, or in upper and lower case.
    """
    steps = place.split("/")
    for depth, meant in enumerate(steps[1:], start=1):
        if meant != EVERY:
            for holder, value in at(document, "/".join(steps[:depth])):
                if isinstance(value, dict) and meant not in value:
                    close = (name for name in value if _is_nearly(name, meant))
                    yield from ((holder, name, meant) for name in close)


def _is_nearly(name: Any, meant: str) -> bool:
    return isinstance(name, str) and (name.lower() == meant.lower() or is_one_typo(name, meant))


def _check_shape(value: Any, shape: Shape, path: FieldPath) -> Iterator[Problem]:
    """Yield values of another type; a member that is null counts as absent, an item as wrong."""
    if type(shape) is str:
        read_as, allowed = _SCALARS[shape]
        if not isinstance(value, read_as):
            yield Problem(path, type_of(value, shape), allowed)
    elif type(value) not in (types := _COLLECTIONS[type(shape)]):
        allowed = " or ".join(_NAMES[each] for each in types)
        yield Problem(path, type_of(value, "object"), allowed)
    elif type(shape) is dict and EVERY not in shape:
        for name, inner in shape.items():
            if value.get(name) is not None:
                yield from _check_shape(value[name], inner, (*path, name))
    else:
        inner, is_list = shape[EVERY if type(shape) is dict else 0], type(value) is list
        for step, each in enumerate(value) if is_list else value.items():
            if each is not None or is_list:
                yield from _check_shape(each, inner, (*path, step))
