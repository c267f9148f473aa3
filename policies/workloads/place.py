"""Places in a workload: JSON Pointers in which `*` stands for every element or member."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from policies.document import Document, Json, escaped

Read: TypeAlias = Callable[[Json], Iterator[tuple[str, Json]]]
"""Yields the pods that a part of a workload describes, each with its JSON Pointer in that part."""

_POD_FIELDS = (
    *("affinity", "hostIPC", "hostNetwork", "hostPID", "hostUsers", "initContainers"),
    *("nodeSelector", "os", "priorityClassName", "resourceClaims", "runtimeClassName"),
    *("securityContext", "tolerations", "volumes"),
)
"""Fields of a pod's spec, besides its containers, that rules read and workloads name alike."""


def one(read: Callable[[Json], Json]) -> Read:
    """Make a reader of a part that describes one pod, at the same place, whatever stands there."""

    def pods(part: Json) -> Iterator[tuple[str, Json]]:
        yield "", read(part)

    return pods


EVERY = "*"


def at(document: Json, place: str) -> Iterator[tuple[str, Json]]:
    """Yield what is at a place, each value with its JSON Pointer; nothing where it is missing."""
    return _below(document, place.split("/")[1:], "")


def _below(here: Json, tokens: list[str], pointer: str) -> Iterator[tuple[str, Json]]:
    if not tokens:
        yield pointer, here
        return
    token, *rest = tokens
    if token == EVERY:
        for name, below in children(here):
            yield from _below(below, rest, f"{pointer}/{name}")
    elif type(here) is dict and token in here:
        yield from _below(here[token], rest, f"{pointer}/{token}")


def children(here: Json) -> Iterator[tuple[str, Json]]:
    """Yield the members or elements of a value, each with its step in a JSON Pointer."""
    if type(here) is dict:
        for name, below in here.items():
            yield escaped(name), below
    elif type(here) is list:
        for index, below in enumerate(here):
            yield str(index), below


def pod_part(fields: Mapping[str, Json], *containers: Json) -> Document:
    """Return a pod of these containers, with those of the fields that belong to a pod."""
    spec = {name: fields[name] for name in _POD_FIELDS if name in fields}
    return {"spec": {**spec, "containers": list(containers)}}


@one
def template(part: Json) -> Json:
    return part


@one
def pod_spec(part: Json) -> Json:
    return {"spec": part}
