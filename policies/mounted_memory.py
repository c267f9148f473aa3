"""What is wrong with a volume that is to be shared memory: no memory, no bound, or no writing.

The kubelet makes a volume in memory as large as its `sizeLimit`, or else as the memory limits of
all containers together, or else as what pods may take of the node. Source:
`calculateEmptyDirMemorySize` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/volume/emptydir/empty_dir.go
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from policies.container import Container
from policies.document import Json, members, shown, text
from policies.quantity import format_bytes, read_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


class _Mount(NamedTuple):
    """A mount of a volume that the pod has."""

    container: Container
    number: int
    """Of the volume, in the pod's list."""
    volume: Mapping[str, Json]
    read_only: bool

    def fault(self, problem: str, remedy: str) -> MountFault:
        """Return what is wrong with it."""
        return MountFault(self.container, text(self.volume.get("name")), problem, remedy)


def mount_faults(
    pod: Pod, containers: Sequence[Container], path: str, size: str
) -> Iterator[MountFault]:
    """Yield what is wrong with what these containers mount at the path, whose right size is given.

    Of several that mount one volume, the largest memory limit bounds it: what is written is charged
    to the container that writes.
    """
    sound: dict[int, list[_Mount]] = {}
    for mount in _mounts(pod, containers, path):
        if mount.read_only:
            yield mount.fault(" read-only", "Remove readOnly from the mount.")
        unsound = _unsound(mount, size)
        if unsound is None:
            sound.setdefault(mount.number, []).append(mount)
        else:
            yield unsound
    for mounts in sound.values():
        yield from _above_memory(pod, mounts, size)


def _mounts(pod: Pod, containers: Sequence[Container], path: str) -> Iterator[_Mount]:
    numbers = {text(members(raw).get("name")): number for number, raw in enumerate(pod.volumes)}
    for container in containers:
        mount = container.mount_at(path)
        number = numbers.get(text(mount.get("name")))
        if number is not None:  # else a device, or a volume that the API server misses
            read_only = mount.get("readOnly") is True
            yield _Mount(container, number, members(pod.volumes[number]), read_only)


def _unsound(mount: _Mount, size: str) -> MountFault | None:
    empty = members(mount.volume.get("emptyDir"))
    if empty.get("medium") != "Memory":
        remedy = f"Mount an emptyDir with medium Memory and sizeLimit {size} there."
        return mount.fault(", which is no emptyDir with medium Memory", remedy)
    if read_quantity(empty.get("sizeLimit")) == 0:  # the kubelet takes 0 for none
        remedy = f"Set spec.volumes[{mount.number}].emptyDir.sizeLimit: {size}."
        return mount.fault(", which has no sizeLimit", remedy)
    return None


def _above_memory(pod: Pod, mounts: Sequence[_Mount], size: str) -> Iterator[MountFault]:
    """Yield that a volume, by its mounts, is larger than what any of the containers may use."""
    stated = mounts[0].volume["emptyDir"]["sizeLimit"]
    amount = read_quantity(stated) or 0
    largest: tuple[Quantity, _Mount] | None = None
    for mount in mounts:
        limit = pod.limit_of(mount.container, "memory")
        if limit is None or limit < 1 or limit >= amount:  # Kubernetes takes 0 for none
            return
        if largest is None or limit > largest[0]:
            largest = (limit, mount)
    if largest is not None:
        limit, mount = largest
        problem = f", whose sizeLimit {shown(stated)} is above the container's memory limit of "
        remedy = f"Raise the memory limit, or create the pod with a sizeLimit of {size}."
        yield mount.fault(f"{problem}{format_bytes(int(limit))}", remedy)
