"""`policies.rules.shared_memory` in CEL: what it mounts.

What a container mounts at a path with `..` in it counts as mounted there: CEL cannot resolve it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.in_cel.literal import text
from policies.in_cel.patch import append, members, of_containers
from policies.in_cel.pod_variables import ASKS
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.shared_memory import MIB, PATH, VOLUME

if TYPE_CHECKING:
    from policies.settings import Settings, SharedMemorySettings

_MOUNTED = (
    "(container.?volumeMounts.orValue([]).map(mount, mount.mountPath)"
    " + container.?volumeDevices.orValue([]).map(device, device.devicePath))"
    f".exists(path, path.contains({text(PATH[:4])})"
    ' && [path.split("/").filter(part, part != "" && part != ".")].exists(parts,'
    f' parts == ["dev"] || parts == ["dev", "shm"] || ".." in parts))'
)
_STARTING = "(object.spec.?initContainers.orValue([]) + object.spec.containers)"
_LIMIT = (
    'container.?resources.?limits[?"memory"]'
    '.or(object.spec.?resources.?limits[?"memory"]).orValue("0")'
)
_VOLUMES = "object.spec.?volumes.orValue([])"
_UNITS = ("Ti", "Gi", "Mi", "Ki")
_MOST = 2**62
"""Bytes; CEL cannot write more as an integer, and nothing has as much memory."""
_BY_MPS = (
    "variables.holding.exists(pool, variables.wanted.exists(resource,"
    f" variables.sharing[pool][resource] == {text(SharingKind.MPS.value)}))"
)
_SIZE = "variables.shared_memory_size"
_NAME = "variables.shared_memory_volume"


def _share(sizing: SharedMemorySettings) -> str:
    """Return CEL for the size that a `container` would be given alone."""
    amount = f"quantity(string({_LIMIT})).asApproximateFloat()"
    bound = f"double(int([limit, {float(_MOST)}].min()))"
    share = (
        f"int([[{bound} * {float(sizing.fraction)}, {float(sizing.floor)}].max(),"
        f" {float(sizing.cap)}, {bound}].min())"
    )
    rounded = f"[{share}].map(share, share > {MIB} ? share - share % {MIB} : share)[0]"
    return f"[{amount}].map(limit, limit < 1.0 ? {sizing.default} : {rounded})[0]"


def _formatted(size: str) -> str:
    """Return CEL for bytes as a quantity in the largest binary unit that is exact."""
    written = f"string({size})"
    for power, unit in enumerate(reversed(_UNITS), start=1):
        factor = 1024**power
        exact = f"{size} >= {factor} && {size} % {factor} == 0"
        written = f"({exact} ? string({size} / {factor}) + {text(unit)} : {written})"
    return written


def _variables(settings: Settings) -> Variables:
    lacking = f"{_STARTING}.filter(container, {ASKS} && !{_MOUNTED})"
    taken = f"{_VOLUMES}.exists(volume, volume.name == name)"
    return {
        "shared_memory_lacking": f"object.spec.?hostIPC.orValue(false) || {_BY_MPS} ? []"
        f" : {lacking}",
        "shared_memory_size": "([0] + variables.shared_memory_lacking"
        f".map(container, {_share(settings.shared_memory)})).max()",
        "shared_memory_volume": f"lists.range(size({_VOLUMES}) + 1).map(number,"
        f" {text(VOLUME)} + (number == 0 ? {text('')} : {text('-')} + string(number + 1)))"
        f".filter(name, !{taken})[0]",
    }


def _fixes(_settings: Settings) -> str:
    memory = members({"medium": text("Memory"), "sizeLimit": _formatted(_SIZE)})
    volume = members({"name": _NAME, "emptyDir": memory})
    mount = members({"name": _NAME, "mountPath": text(PATH)})
    added = append("has(object.spec.volumes)", text("/spec/volumes"), f"[{volume}]")
    mounted = append("has(container.volumeMounts)", 'placed[0] + "/volumeMounts"', f"[{mount}]")
    return (
        "size(variables.shared_memory_lacking) == 0 ? []"
        f" : {added} + {of_containers(f'!{_MOUNTED}', mounted)}"
    )


RULE_IN_CEL = RuleInCel(RuleName.SHARED_MEMORY, fixes=_fixes, variables=_variables)
