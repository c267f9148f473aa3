"""Parts of a manifest that the rules would pass over, since a pod has no such type there.

The rules treat what they cannot read as absent. That is safe in the webhook, because the API server
has refused such a pod before. In a file nobody has, and a request for GPUs below would be missed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A value without parts."""

    read_as: type
    name: str
    """Name of the type, as a schema has it."""
    allowed: str


@dataclass(frozen=True, slots=True)
class _Each:
    """A list whose items are all of one shape, or a mapping whose members are, by any name."""

    shape: "_Shape"
    types: tuple[type, ...]


_Shape: TypeAlias = "Mapping[str, _Shape] | _Each | _Scalar"
"""The type of a value and of its parts; a mapping has the shapes of some of its members."""

_ANY: _Shape = {}
_SCALARS = {
    "string": _Scalar(str, "string", "a string"),
    "boolean": _Scalar(bool, "boolean", "true or false"),
}
_NAMES: Mapping[type, str] = {list: "a list", dict: "a mapping"}
_AN_OBJECT = "a mapping with apiVersion and kind"


@cache
def stated_shapes() -> Mapping[str, Any]:
    """Return those of `pod_shape.yaml`: of the metadata of any object, pod templates, and kinds."""
    content = (files("gpuplane.admission") / "pod_shape.yaml").read_bytes()
    stated: Mapping[str, Any] = yaml.load(content, yaml.CSafeLoader)
    return stated


@cache
def _known_shapes() -> Mapping[str, _Shape]:
    return {name: _read_shape(each) for name, each in stated_shapes().items()}


def _read_shape(stated: Any) -> _Shape:
    if isinstance(stated, str):
        return _SCALARS[stated]
    if isinstance(stated, list):
        return _Each(_read_shape(stated[0]), (list,))
    if EVERY in stated:
        return _Each(_read_shape(stated[EVERY]), (dict,))
    return {name: _read_shape(each) for name, each in stated.items()}


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
        shapes = _known_shapes()
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
            _check_shape(document, _shape_above(place, _known_shapes()["template"]), path)
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
        yield from _check_shape(document, _shape_above(place, _known_shapes()["part"]), path)
    for place in known.wrapped:
        for place_of, wrapped in at(document, place):
            if isinstance(wrapped, dict):
                yield from _check_object(wrapped, (*path, *_path(place_of)))


def _shape_above(place: str, shape: _Shape) -> _Shape:
    """Return the shape of an object that has `shape` at a place, also in lists or mappings."""
    for step in reversed(place.split("/")[1:]):
        shape = _Each(shape, (list, dict)) if step == EVERY else {step: shape}
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


def _check_shape(value: Any, shape: _Shape, path: FieldPath) -> Iterator[Problem]:
    """Yield values of another type; a member that is null counts as absent, an item as wrong."""
    match shape:
        case _Scalar():
            if not isinstance(value, shape.read_as):
                yield Problem(path, type_of(value, shape.name), shape.allowed)
        case _Each():
            yield from _check_each_shape(value, shape, path)
        case _ if not isinstance(value, dict):
            yield _wrong_type(value, (dict,), path)
        case _:
            for name, inner in shape.items():
                if value.get(name) is not None:
                    yield from _check_shape(value[name], inner, (*path, name))


def _check_each_shape(value: Any, each: _Each, path: FieldPath) -> Iterator[Problem]:
    if type(value) not in each.types:
        yield _wrong_type(value, each.types, path)
        return
    for name, inner in enumerate(value) if isinstance(value, list) else value.items():
        if inner is not None or isinstance(value, list):
            yield from _check_shape(inner, each.shape, (*path, name))


def _wrong_type(value: Any, types: tuple[type, ...], path: FieldPath) -> Problem:
    return Problem(path, type_of(value, "object"), " or ".join(_NAMES[each] for each in types))
