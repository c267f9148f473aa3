"""What is wrong with a volume that is to be shared memory: `policies.mounted_memory` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text, texts_in_order
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.quantity import MOST, formatted
from policies.in_cel.shown import shortened, shown

if TYPE_CHECKING:
    from policies.in_cel.rule_in_cel import Variables

_VOLUMES = "object.spec.?volumes.orValue([])"
_CONTAINER, _MOUNT, _VOLUME = "each[0]", "each[1]", "each[2]"
_IS_MEMORY = f'{_VOLUME}.?emptyDir.?medium.orValue("") == "Memory"'
_SIZE_LIMIT = f'string({_VOLUME}.?emptyDir.?sizeLimit.orValue("0"))'
_AMOUNT = f"quantity({_SIZE_LIMIT}).asApproximateFloat()"


def faults(rule: str, path: str, containers: str, limit: str) -> Variables:
    """Return variables of a rule: `mounts`, those at the path, `sound` of these, and `faults`.

    `limit` is CEL for the memory limit of a `container`. The rule has the right size of a volume in
    `right_size`. A mount is `[container, mount, volume]`.
    """
    names = f"variables.{rule}"
    parts = 'mount.mountPath.split("/").filter(part, part != "" && part != ".")'
    exact = (
        "container.?volumeMounts.orValue([]).filter(mount,"
        f" mount.mountPath.contains({text(path[:4])})"
        f" && {parts} == {texts_in_order(path.split('/')[1:])})"
    )
    volume = f"{_VOLUMES}.filter(volume, volume.name == {exact}[0].name)"
    return {
        f"{rule}_mounts": f"{containers}.filter(container, size({exact}) > 0"
        f" && size({volume}) > 0).map(container,"
        f" [dyn(container), dyn({exact}[0]), dyn({volume}[0])])",
        f"{rule}_sound": f"{names}_mounts.filter(each, {_IS_MEMORY} && {_AMOUNT} != 0.0)",
        f"{rule}_faults": f"{_of_mounts(rule, path)} + {_above_memory(rule, path, limit)}",
    }


def _mounts_at(path: str) -> str:
    """Return CEL for the beginning of what is wrong with a mount."""
    return (
        f'"The " + [{_CONTAINER}].map(container, {CULPRIT})[0] + " mounts the volume "'
        f' + {shortened(f"{_VOLUME}.name")} + " at {path}"'
    )


def _of_mounts(rule: str, path: str) -> str:
    """Return CEL for what is wrong with each mount, whatever else mounts the volume."""
    size = f"variables.{rule}_right_size"
    number = f"string({_VOLUMES}.map(volume, volume.name).indexOf({_VOLUME}.name))"
    read_only = f"{_MOUNT}.?readOnly.orValue(false)"
    beginning = _mounts_at(path)
    found = (
        f'(({read_only} ? [{beginning} + " read-only. Remove readOnly from the mount."] : [])'
        f' + (!({_IS_MEMORY}) ? [{beginning} + ", which is no emptyDir with medium Memory. Mount an'
        f' emptyDir with medium Memory and sizeLimit " + {size} + " there."]'
        f' : {_AMOUNT} == 0.0 ? [{beginning} + ", which has no sizeLimit. Set spec.volumes["'
        f' + {number} + "].emptyDir.sizeLimit: " + {size} + "."] : []))'
    )
    joint = text(f" {rule.replace('_', '-')}: ")
    is_wrong = f"({read_only} || !({_IS_MEMORY}) || {_AMOUNT} == 0.0)"
    return f"variables.{rule}_mounts.filter(each, {is_wrong}).map(each, {found}.join({joint}))"


def _above_memory(rule: str, path: str, limit: str) -> str:
    """Return CEL for the volumes that are larger than what any that mounts one may use.

    One is named once, with the container that has most memory.
    """
    sound = f"variables.{rule}_sound"
    memory = f"[{_CONTAINER}].map(container, quantity(string({limit})).asApproximateFloat())[0]"
    same = f"{sound}.filter(each, {_VOLUME}.name == volume.name)"
    is_first = f"{same}[0][0].name == {_CONTAINER}.name"
    is_above = f"{same}.all(each, {memory} >= 1.0 && {memory} < {_AMOUNT})"
    most = f"{same}.map(each, {memory}).max()"
    largest = f"{same}.filter(each, {memory} == {most})[0]"
    message = (
        f'{_mounts_at(path)} + ", whose sizeLimit " + {shown(_SIZE_LIMIT)}'
        ' + " is above the container\'s memory limit of "'
        f" + {formatted(f'int([{memory}, {float(MOST)}].min())')}"
        ' + ". Raise the memory limit, or create the pod with a sizeLimit of "'
        f' + variables.{rule}_right_size + "."'
    )
    return (
        f"{sound}.filter(each, [{_VOLUME}].exists(volume, {is_first} && {is_above}))"
        f".map(each, [{_VOLUME}].map(volume, [{largest}].map(each, {message})[0])[0])"
    )
