"""What is wrong with a volume that is to be shared memory: no memory, no bound, or no writing.

The kubelet makes a volume in memory as large as its `sizeLimit`, or else as the memory limits of
all containers together, or else as what pods may take of the node. Source:
`calculateEmptyDirMemorySize` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/volume/emptydir/empty_dir.go
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from policies.cel.amounts import amount, formatted, whole_bytes
from policies.cel.gpus import CULPRIT
from policies.cel.pod import MOUNTS, VOLUMES, parts, volume_index
from policies.cel.text import joined, quote, shortened, shown_in_cel, texts_in_order
from policies.cel.variables import Variables, prefix_of
from policies.container import Container
from policies.document import Json, members, shown, text
from policies.pod import Pod
from policies.quantity import Quantity, format_bytes, read_quantity
from policies.rule import Message
from policies.rule_name import RuleName

_CONTAINER, _MOUNT, _VOLUME = "each[0]", "each[1]", "each[2]"
_IS_MEMORY = f'{_VOLUME}.?emptyDir.?medium.orValue("") == "Memory"'
_IS_READ_ONLY = f"{_MOUNT}.?readOnly.orValue(false)"
_SIZE_LIMIT = f'{_VOLUME}.?emptyDir.?sizeLimit.orValue("0")'
_AMOUNT = amount(_SIZE_LIMIT)

_MOUNTS = "The {culprit} mounts the volume {volume}{place}"
_READ_ONLY = Message(f"{_MOUNTS} read-only.", "Remove readOnly from the mount.")
_NO_MEMORY = Message(
    f"{_MOUNTS}, which is no emptyDir with medium Memory.",
    "Mount an emptyDir with medium Memory and sizeLimit {size} there.",
)
_UNBOUNDED = Message(
    f"{_MOUNTS}, which has no sizeLimit.", "Set spec.volumes[{index}].emptyDir.sizeLimit: {size}."
)
_ABOVE_MEMORY = Message(
    f"{_MOUNTS}, whose sizeLimit {{declared}} is above the container's memory limit of {{limit}}.",
    "Raise the memory limit, or create the pod with a sizeLimit of {size}.",
)


class MountFault(NamedTuple):
    container: Container
    message: Message
    values: Mapping[str, object]
    """What the message is filled with, besides the culprit."""


class _Mount(NamedTuple):
    """A mount of a volume that the pod has."""

    container: Container
    number: int
    volume: Mapping[str, Json]
    read_only: bool

    def fault(self, message: Message, path: str, **values: object) -> MountFault:
        name = shown(text(self.volume.get("name")))
        return MountFault(self.container, message, {"volume": name, "place": path, **values})


def mount_faults(
    pod: Pod, containers: Sequence[Container], path: str, size: str
) -> Iterator[MountFault]:
    """Yield what is wrong with what these containers mount at the path, whose right size is given.

    Of several that mount one volume, the largest memory limit bounds it: what is written is charged
    to the container that writes.
    """
    sound: dict[int, list[_Mount]] = {}
    place = f" at {path}"
    for mount in _mounts(pod, containers, path):
        if mount.read_only:
            yield mount.fault(_READ_ONLY, place)
        unsound = _unsound(mount, place, size)
        if unsound is None:
            sound.setdefault(mount.number, []).append(mount)
        else:
            yield unsound
    for mounts in sound.values():
        yield from _above_memory(pod, mounts, place, size)


def _mounts(pod: Pod, containers: Sequence[Container], path: str) -> Iterator[_Mount]:
    numbers = {text(members(raw).get("name")): number for number, raw in enumerate(pod.volumes)}
    for container in containers:
        mount = container.mount_at(path)
        number = numbers.get(text(mount.get("name")))
        if number is not None:  # else a device, or a volume that the API server misses
            read_only = mount.get("readOnly") is True
            yield _Mount(container, number, members(pod.volumes[number]), read_only)


def _unsound(mount: _Mount, place: str, size: str) -> MountFault | None:
    empty = members(mount.volume.get("emptyDir"))
    if empty.get("medium") != "Memory":
        return mount.fault(_NO_MEMORY, place, size=size)
    if read_quantity(empty.get("sizeLimit")) == 0:  # the kubelet takes 0 for none
        return mount.fault(_UNBOUNDED, place, index=mount.number, size=size)
    return None


def _above_memory(
    pod: Pod, mounts: Sequence[_Mount], place: str, size: str
) -> Iterator[MountFault]:
    """Yield that a volume, by its mounts, is larger than what any of the containers may use."""
    declared = mounts[0].volume["emptyDir"]["sizeLimit"]
    bound = read_quantity(declared) or 0
    largest: tuple[Quantity, _Mount] | None = None
    for mount in mounts:
        limit = pod.limit_of(mount.container, "memory")
        if limit is None or limit < 1 or limit >= bound:  # Kubernetes takes 0 for none
            return
        if largest is None or limit > largest[0]:
            largest = (limit, mount)
    if largest is not None:
        limit, mount = largest
        memory = format_bytes(int(limit))
        yield mount.fault(_ABOVE_MEMORY, place, declared=shown(declared), limit=memory, size=size)


def faults(rule: RuleName, path: str, containers: str, limit: str) -> Variables:
    """Return variables of a rule: `mounts`, those at the path, `sound` of these, and `faults`.

    `limit` is CEL for the memory limit of a `container`. The rule has the right size of a volume in
    `right_size`. A mount is `[container, mount, volume]`.
    """
    prefix = prefix_of(rule)
    mounts = f"variables.{prefix}_mounts"
    return {
        f"{prefix}_mounts": _mounts_in_cel(path, containers),
        f"{prefix}_sound": f"{mounts}.filter(each, {_IS_MEMORY} && {_AMOUNT} != 0.0)",
        f"{prefix}_faults": f"{_of_mounts(rule, path)} + {_above_memory_in_cel(rule, path, limit)}",
    }


def _mounts_in_cel(path: str, containers: str) -> str:
    exact = (
        f"{MOUNTS}.filter(mount, mount.mountPath.contains({quote(path[:4])})"
        f" && {parts('mount.mountPath')} == {texts_in_order(path.split('/')[1:])})"
    )
    volume = f"{VOLUMES}.filter(volume, volume.name == {exact}[0].name)"
    return (
        f"{containers}.filter(container, size({exact}) > 0 && size({volume}) > 0)"
        f".map(container, [dyn(container), dyn({exact}[0]), dyn({volume}[0])])"
    )


def _right_size(rule: RuleName) -> str:
    return f"variables.{prefix_of(rule)}_right_size"


def _said(message: Message, path: str, **values: str) -> str:
    culprit = f"[{_CONTAINER}].map(container, {CULPRIT})[0]"
    volume = shortened(f"{_VOLUME}.name")
    return message.in_cel(culprit=culprit, volume=volume, place=quote(f" at {path}"), **values)


def _of_mounts(rule: RuleName, path: str) -> str:
    """Return CEL for what is wrong with each mount, whatever else mounts the volume."""
    size = _right_size(rule)
    unbounded = _said(_UNBOUNDED, path, index=volume_index(_VOLUME), size=size)
    found = (
        f"(({_IS_READ_ONLY} ? [{_said(_READ_ONLY, path)}] : [])"
        f" + (!({_IS_MEMORY}) ? [{_said(_NO_MEMORY, path, size=size)}]"
        f" : {_AMOUNT} == 0.0 ? [{unbounded}] : []))"
    )
    is_wrong = f"({_IS_READ_ONLY} || !({_IS_MEMORY}) || {_AMOUNT} == 0.0)"
    mounts = f"variables.{prefix_of(rule)}_mounts"
    return f"{mounts}.filter(each, {is_wrong}).map(each, {joined(found, rule)})"


def _above_memory_in_cel(rule: RuleName, path: str, limit: str) -> str:
    """Return CEL for the volumes that are larger than what any that mounts one may use.

    One is named once, with the container that has most memory.
    """
    sound = f"variables.{prefix_of(rule)}_sound"
    memory = f"[{_CONTAINER}].map(container, {amount(limit)})[0]"
    same = f"{sound}.filter(each, {_VOLUME}.name == volume.name)"
    is_first = f"{same}[0][0].name == {_CONTAINER}.name"
    is_above = f"{same}.all(each, {memory} >= 1.0 && {memory} < {_AMOUNT})"
    largest = f"{same}.filter(each, {memory} == {same}.map(each, {memory}).max())[0]"
    message = _said(
        _ABOVE_MEMORY,
        path,
        declared=shown_in_cel(f"string({_SIZE_LIMIT})"),
        limit=formatted(whole_bytes(memory)),
        size=_right_size(rule),
    )
    return (
        f"{sound}.filter(each, [{_VOLUME}].exists(volume, {is_first} && {is_above}))"
        f".map(each, [{_VOLUME}].map(volume, [{largest}].map(each, {message})[0])[0])"
    )
