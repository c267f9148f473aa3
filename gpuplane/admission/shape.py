"""The types that the rules expect in a pod, as far down as they read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.value_type import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    read_as: type
    name: str
    """Name of the type, as a schema has it."""
    allowed: str


@dataclass(frozen=True, slots=True)
class Each:
    """A list whose items are all of one shape, or a mapping whose members are, by any name."""

    shape: Shape
    types: tuple[type, ...]


Shape: TypeAlias = "Mapping[str, Shape] | Each | Scalar"
"""The type of a value and of its parts; a mapping has the shapes of some of its members."""

ANY: Shape = {}
TEXT = Scalar(str, "string", "a string")
FLAG = Scalar(bool, "boolean", "true or false")
_NAMES: Mapping[type, str] = {list: "a list", dict: "a mapping"}


def items(shape: Shape = ANY) -> Each:
    return Each(shape, (list,))


def values(shape: Shape) -> Each:
    return Each(shape, (dict,))


def children(shape: Shape) -> Each:
    """Return a list or a mapping, since a place in a workload may lead through either."""
    return Each(shape, (list, dict))


_TEXTS = values(TEXT)
_CONTAINERS = items(
    {
        "name": TEXT,
        "image": TEXT,
        "env": items({"name": TEXT, "value": TEXT, "valueFrom": ANY}),
        "envFrom": items({"prefix": TEXT}),
        "resources": {"limits": ANY, "requests": ANY, "claims": items()},
        "restartPolicy": TEXT,
        "securityContext": {"privileged": FLAG, "capabilities": {"add": items(TEXT)}},
        "volumeMounts": items({"name": TEXT, "mountPath": TEXT, "readOnly": FLAG}),
        "volumeDevices": items({"name": TEXT, "devicePath": TEXT}),
    }
)
_EXPRESSIONS = items({"key": TEXT, "operator": TEXT, "values": items(TEXT)})
_NODE_TERMS = items({"matchExpressions": _EXPRESSIONS, "matchFields": _EXPRESSIONS})
_VOLUME: Shape = {
    "name": TEXT,
    "emptyDir": {"medium": TEXT},
    "hostPath": {"path": TEXT},
    "image": {"reference": TEXT},
}
METADATA: Shape = {
    "name": TEXT,
    "generateName": TEXT,
    "namespace": TEXT,
    "labels": _TEXTS,
    "annotations": _TEXTS,
}
"""Every object has this shape of metadata."""
TEMPLATE: Shape = {
    "metadata": METADATA,
    "spec": {
        "containers": _CONTAINERS,
        "initContainers": _CONTAINERS,
        "ephemeralContainers": _CONTAINERS,
        "resourceClaims": items(),
        "resources": {"limits": ANY, "requests": ANY},
        "overhead": ANY,
        "nodeName": TEXT,
        "nodeSelector": _TEXTS,
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": _NODE_TERMS}
            },
            "podAntiAffinity": ANY,
        },
        "topologySpreadConstraints": items(),
        "tolerations": items({"key": TEXT, "operator": TEXT, "value": TEXT, "effect": TEXT}),
        "volumes": items(_VOLUME),
        "hostIPC": FLAG,
        "priorityClassName": TEXT,
        "runtimeClassName": TEXT,
        "serviceAccountName": TEXT,
    },
}


def misshapen(value: Any, shape: Shape, path: FieldPath) -> Iterator[Problem]:
    """Yield values of another type; a member that is null counts as absent, an item as wrong."""
    match shape:
        case Scalar():
            if not isinstance(value, shape.read_as):
                yield Problem(path, type_of(value, shape.name), shape.allowed)
        case Each():
            yield from _misshapen_each(value, shape, path)
        case _ if not isinstance(value, dict):
            yield _wrong_type(value, (dict,), path)
        case _:
            for name, inner in shape.items():
                if value.get(name) is not None:
                    yield from misshapen(value[name], inner, (*path, name))


def _misshapen_each(value: Any, each: Each, path: FieldPath) -> Iterator[Problem]:
    if type(value) not in each.types:
        yield _wrong_type(value, each.types, path)
        return
    for name, inner in enumerate(value) if isinstance(value, list) else value.items():
        if inner is not None or isinstance(value, list):
            yield from misshapen(inner, each.shape, (*path, name))


def _wrong_type(value: Any, types: tuple[type, ...], path: FieldPath) -> Problem:
    return Problem(path, type_of(value, "object"), " or ".join(_NAMES[each] for each in types))
