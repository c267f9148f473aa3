"""Assembles what is known of a pod from fields that are not in a pod template."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from policies.document import Document, Json
    from policies.workloads.workload_kind import Read

_POD_FIELDS = (
    "affinity",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "initContainers",
    "nodeSelector",
    "priorityClassName",
    "resourceClaims",
    "runtimeClassName",
    "securityContext",
    "tolerations",
    "volumes",
)
"""Of a pod's spec, besides its containers: those that rules read and workloads name alike."""


def pod_part(fields: Mapping[str, Json], *containers: Json) -> Document:
    """Return a pod of these containers, with those of the fields that belong to a pod."""
    spec = {name: fields[name] for name in _POD_FIELDS if name in fields}
    return {"spec": {**spec, "containers": list(containers)}}


def one(read: Callable[[Json], Document]) -> Read:
    """Make a reader of a part that describes one pod, at the same place."""

    def pods(part: Json) -> Iterator[tuple[str, Document]]:
        yield "", read(part)

    return pods


@one
def template(part: Json) -> Json:
    """Return a part that is a pod template itself."""
    return part


@one
def pod_spec(part: Json) -> Json:
    """Return the pod of a part that is the spec of one."""
    return {"spec": part}
