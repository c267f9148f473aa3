"""Puts together what is known of a pod from fields that stand elsewhere than in a pod template."""

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
"""Of a pod's spec, beside its containers; what rules read, by the names that workloads keep."""


def pod_part(fields: Mapping[str, Json], *containers: Json) -> Document:
    """Return a pod of these containers and of those fields that are a pod's."""
    spec = {name: fields[name] for name in _POD_FIELDS if name in fields}
    return {"spec": {**spec, "containers": list(containers)}}


def one(read: Callable[[Json], Document]) -> Read:
    """Make a reader of a part that states one pod, at its own place."""

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
