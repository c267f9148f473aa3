"""What is wrong with a volume that is to be shared memory: no memory, no bound, or no writing.

The kubelet makes a volume in memory as large as its `sizeLimit`, or else as the memory limits of
all containers together, or else as what pods may take of the node. Source:
`calculateEmptyDirMemorySize` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/volume/emptydir/empty_dir.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from policies.container import Container
from policies.document import members, shown, text
from policies.quantity import format_bytes, read_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policies.document import Json
    from policies.pod import Pod
    from policies.quantity import Quantity


class MountFault(NamedTuple):
    """What is wrong with a mount of a container."""

    container: Container
    volume: str
    problem: str
    """The end of a sentence that names container, volume and place."""
    remedy: str
    """A full sentence."""


def mount_faults(
    pod: Pod, containers: Sequence[Container], path: str, size: str
) -> Iterator[MountFault]:
    """Yield what is wrong with what these containers mount at the path, whose right size is given.

    Of several that mount one volume, the largest memory limit bounds it: what is written is charged
    to the container that writes.
    """
    numbers = {text(members(raw).get("name")): number for number, raw in enumerate(pod.volumes)}
    bounded: dict[int, tuple[Quantity, Container]] = {}
    unbounded: set[int] = set()
    for container in containers:
        mount = container.mount_at(path)
        name = text(mount.get("name"))
        number = numbers.get(name)
        if number is None:  # a device, or a volume that the API server will look for in vain
            continue
        if mount.get("readOnly") is True:
            yield MountFault(container, name, " read-only", "Remove readOnly from the mount.")
        fault = _fault_of_volume(pod.volumes[number], number, size)
        if fault is not None:
            yield MountFault(container, name, *fault)
            continue
        limit = pod.limit_of(container, "memory")
        if limit is None:
            unbounded.add(number)
        elif number not in bounded or limit > bounded[number][0]:
            bounded[number] = (limit, container)
    for number, (limit, container) in bounded.items():
        if number not in unbounded:
            yield from _above(pod.volumes[number], limit, container, size)


def _fault_of_volume(volume: Json, number: int, size: str) -> tuple[str, str] | None:
    empty = members(members(volume).get("emptyDir"))
    if empty.get("medium") != "Memory":
        remedy = f"Mount an emptyDir with medium Memory and sizeLimit {size} there."
        return ", which is no emptyDir with medium Memory", remedy
    if read_quantity(empty.get("sizeLimit")) == 0:  # the kubelet takes 0 for none
        return ", which has no sizeLimit", f"Set spec.volumes[{number}].emptyDir.sizeLimit: {size}."
    return None


def _above(volume: Json, limit: Quantity, container: Container, size: str) -> Iterator[MountFault]:
    stated = volume["emptyDir"]["sizeLimit"]
    amount = read_quantity(stated)
    if amount is not None and amount > limit >= 1:
        problem = (
            f", whose sizeLimit {shown(stated)} is above the container's memory limit of "
            f"{format_bytes(int(limit))}"
        )
        remedy = f"Raise the memory limit, or create the pod with a sizeLimit of {size}."
        yield MountFault(container, text(volume.get("name")), problem, remedy)
