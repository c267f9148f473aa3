"""What is wrong with a volume that is to be shared memory: `policies.mounted_memory` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.field_path import volume_index
from policies.in_cel.joined import joined
from policies.in_cel.literal import text, texts_in_order
from policies.in_cel.path import parts
from policies.in_cel.pod_fields import MOUNTS, VOLUMES
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.quantity import amount, formatted, whole_bytes
from policies.in_cel.rule_in_cel import prefix_of
from policies.in_cel.shown import shortened, shown

if TYPE_CHECKING:
    from policies.in_cel.rule_in_cel import Variables
    from policies.rule_name import RuleName

_CONTAINER, _MOUNT, _VOLUME = "each[0]", "each[1]", "each[2]"
_IS_MEMORY = f'{_VOLUME}.?emptyDir.?medium.orValue("") == "Memory"'
_IS_READ_ONLY = f"{_MOUNT}.?readOnly.orValue(false)"
_SIZE_LIMIT = f'{_VOLUME}.?emptyDir.?sizeLimit.orValue("0")'
_AMOUNT = amount(_SIZE_LIMIT)


def faults(rule: RuleName, path: str, containers: str, limit: str) -> Variables:
    """Return variables of a rule: `mounts`, those at the path, `sound` of these, and `faults`.

    `limit` is CEL for the memory limit of a `container`. The rule has the right size of a volume in
    `right_size`. A mount is `[container, mount, volume]`.
    """
    prefix = prefix_of(rule)
    mounts = f"variables.{prefix}_mounts"
    return {
        f"{prefix}_mounts": _mounts(path, containers),
        f"{prefix}_sound": f"{mounts}.filter(each, {_IS_MEMORY} && {_AMOUNT} != 0.0)",
        f"{prefix}_faults": f"{_of_mounts(rule, path)} + {_above_memory(rule, path, limit)}",
    }


def _mounts(path: str, containers: str) -> str:
    """Return CEL for the mounts at the path."""
    exact = (
        f"{MOUNTS}.filter(mount, mount.mountPath.contains({text(path[:4])})"
        f" && {parts('mount.mountPath')} == {texts_in_order(path.split('/')[1:])})"
    )
    volume = f"{VOLUMES}.filter(volume, volume.name == {exact}[0].name)"
    return (
        f"{containers}.filter(container, size({exact}) > 0 && size({volume}) > 0)"
        f".map(container, [dyn(container), dyn({exact}[0]), dyn({volume}[0])])"
    )


def _right_size(rule: RuleName) -> str:
    return f"variables.{prefix_of(rule)}_right_size"


def _mounts_at(path: str) -> str:
    """Return CEL for the beginning of what is wrong with a mount."""
    return (
        f'"The " + [{_CONTAINER}].map(container, {CULPRIT})[0] + " mounts the volume "'
        f' + {shortened(f"{_VOLUME}.name")} + " at {path}"'
    )


def _of_mounts(rule: RuleName, path: str) -> str:
    """Return CEL for what is wrong with each mount, whatever else mounts the volume."""
    size, beginning = _right_size(rule), _mounts_at(path)
    found = (
        f'(({_IS_READ_ONLY} ? [{beginning} + " read-only. Remove readOnly from the mount."] : [])'
        f' + (!({_IS_MEMORY}) ? [{beginning} + ", which is no emptyDir with medium Memory. Mount an'
        f' emptyDir with medium Memory and sizeLimit " + {size} + " there."]'
        f' : {_AMOUNT} == 0.0 ? [{beginning} + ", which has no sizeLimit. Set spec.volumes["'
        f' + {volume_index(_VOLUME)} + "].emptyDir.sizeLimit: " + {size} + "."] : []))'
    )
    is_wrong = f"({_IS_READ_ONLY} || !({_IS_MEMORY}) || {_AMOUNT} == 0.0)"
    mounts = f"variables.{prefix_of(rule)}_mounts"
    return f"{mounts}.filter(each, {is_wrong}).map(each, {joined(found, rule)})"


def _above_memory(rule: RuleName, path: str, limit: str) -> str:
    """Return CEL for the volumes that are larger than what any that mounts one may use.

    One is named once, with the container that has most memory.
    """
    sound = f"variables.{prefix_of(rule)}_sound"
    memory = f"[{_CONTAINER}].map(container, {amount(limit)})[0]"
    same = f"{sound}.filter(each, {_VOLUME}.name == volume.name)"
    is_first = f"{same}[0][0].name == {_CONTAINER}.name"
    is_above = f"{same}.all(each, {memory} >= 1.0 && {memory} < {_AMOUNT})"
    largest = f"{same}.filter(each, {memory} == {same}.map(each, {memory}).max())[0]"
    message = _is_above(rule, path, memory)
    return (
        f"{sound}.filter(each, [{_VOLUME}].exists(volume, {is_first} && {is_above}))"
        f".map(each, [{_VOLUME}].map(volume, [{largest}].map(each, {message})[0])[0])"
    )


def _is_above(rule: RuleName, path: str, memory: str) -> str:
    """Return CEL for what is wrong with a mount whose volume is larger than a memory limit."""
    return (
        f'{_mounts_at(path)} + ", whose sizeLimit " + {shown(f"string({_SIZE_LIMIT})")}'
        ' + " is above the container\'s memory limit of "'
        f" + {formatted(whole_bytes(memory))}"
        ' + ". Raise the memory limit, or create the pod with a sizeLimit of "'
        f' + {_right_size(rule)} + "."'
    )
