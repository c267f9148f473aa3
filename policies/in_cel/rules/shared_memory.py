"""`policies.rules.shared_memory` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.in_cel.literal import text
from policies.in_cel.mounted_memory import faults
from policies.in_cel.patch import append, members, of_containers
from policies.in_cel.path import parts
from policies.in_cel.pod_fields import HOST_IPC, INIT_CONTAINERS, MOUNTS, VOLUMES
from policies.in_cel.pod_variables import ASKS, CULPRIT
from policies.in_cel.quantity import amount, formatted, whole_bytes
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.shared_memory import MIB, PATH, VOLUME

if TYPE_CHECKING:
    from policies.settings import Settings, SharedMemorySettings

_MOUNTED = (
    f"({MOUNTS}.map(mount, mount.mountPath)"
    " + container.?volumeDevices.orValue([]).map(device, device.devicePath))"
    f".exists(path, path.contains({text(PATH[:4])})"
    f" && [{parts('path')}].exists(parts,"
    ' parts == ["dev"] || parts == ["dev", "shm"] || ".." in parts))'
)
_STARTING = f"({INIT_CONTAINERS} + object.spec.containers)"
_LIMIT = (
    'container.?resources.?limits[?"memory"]'
    '.or(object.spec.?resources.?limits[?"memory"]).orValue("0")'
)
_ASKING = "variables.shared_memory_asking"
_LACKING = "variables.shared_memory_lacking"
_BY_MPS = "variables.shared_memory_by_mps"
_SIZE = "variables.shared_memory_size"
_NAME = "variables.shared_memory_volume"
_TAKEN = "variables.shared_memory_taken"
_IS_BY_MPS = (
    "variables.wanted.exists(resource, variables.sharing[pool][resource] =="
    f" {text(SharingKind.MPS.value)})"
)
_BEGINS = f"startsWith({text(VOLUME)})"
_NAMES: Variables = {
    # That a mount names which the pod does not have is none to take, either.
    "shared_memory_taken": f"{VOLUMES}.map(volume, volume.name).filter(name, name.{_BEGINS})"
    f" + variables.containers.map(container, {MOUNTS}"
    f".map(mount, mount.name).filter(name, name.{_BEGINS})).flatten()",
    "shared_memory_volume": f"lists.range(size({_TAKEN}) + 1).map(number,"
    f" {text(VOLUME)} + (number == 0 ? {text('')} : {text('-')} + string(number + 1)))"
    f".filter(name, !(name in {_TAKEN}))[0]",
}
"""The names that begin as that of the volume, and the first that is free."""


def _share(sizing: SharedMemorySettings) -> str:
    """Return CEL for the size that a `container` would be given alone."""
    bound = f"double({whole_bytes('limit')})"
    share = (
        f"int([[{bound} * {float(sizing.fraction)}, {float(sizing.floor)}].max(),"
        f" {float(sizing.cap)}, {bound}].min())"
    )
    rounded = f"[{share}].map(share, share > {MIB} ? share - share % {MIB} : share)[0]"
    return f"[{amount(_LIMIT)}].map(limit, limit < 1.0 ? {sizing.default} : {rounded})[0]"


def _largest(containers: str, settings: Settings) -> str:
    return f"([0] + {containers}.map(container, {_share(settings.shared_memory)})).max()"


def _variables(settings: Settings) -> Variables:
    return {
        "shared_memory_asking": f"{HOST_IPC} ? [] : {_STARTING}.filter(container, {ASKS})",
        "shared_memory_by_mps": f"variables.holding.filter(pool, {_IS_BY_MPS})",
        "shared_memory_lacking": f"size({_BY_MPS}) > 0 ? []"
        f" : {_ASKING}.filter(container, !{_MOUNTED})",
        "shared_memory_size": _largest(_LACKING, settings),
        **_NAMES,
        "shared_memory_mounted": f"{_ASKING}.filter(container, {_MOUNTED})",
        "shared_memory_right_size": formatted(f"int({_largest(_ASKING, settings)})"),
        **faults(RuleName.SHARED_MEMORY, PATH, _ASKING, _LIMIT),
    }


def _hidden() -> str:
    """Return CEL for the mounts that hide the memory of MPS."""
    return (
        "variables.shared_memory_mounted.map(container,"
        f' "The " + {CULPRIT} + " mounts a volume at {PATH}, which hides the memory that MPS shares'
        f' the GPUs of " + {_BY_MPS}.join(", ") + " through: CUDA fails there. Mount it elsewhere,'
        ' or choose a pool without MPS.")'
    )


def _shares_by_mps(settings: Settings) -> bool:
    return any(each.sharing is SharingKind.MPS for p in settings.pools for each in p.resources)


def _refusals(settings: Settings) -> str:
    if not _shares_by_mps(settings):
        return ""
    return f"size({_BY_MPS}) == 0 || size({_BY_MPS}) < size(variables.holding) ? [] : {_hidden()}"


def _warnings(settings: Settings) -> str:
    found = "variables.shared_memory_faults"
    if not _shares_by_mps(settings):
        return found
    return (
        f"size({_BY_MPS}) == 0 ? {found}"
        f" : size({_BY_MPS}) < size(variables.holding) ? {_hidden()} : []"
    )


def _fixes(_settings: Settings) -> str:
    memory = members({"medium": text("Memory"), "sizeLimit": formatted(_SIZE)})
    volume = members({"name": _NAME, "emptyDir": memory})
    mount = members({"name": _NAME, "mountPath": text(PATH)})
    added = append("has(object.spec.volumes)", text("/spec/volumes"), f"[{volume}]")
    mounted = append("has(container.volumeMounts)", 'placed[0] + "/volumeMounts"', f"[{mount}]")
    return f"size({_LACKING}) == 0 ? [] : {added} + {of_containers(f'!{_MOUNTED}', mounted)}"


RULE_IN_CEL = RuleInCel(
    RuleName.SHARED_MEMORY,
    refusals=_refusals,
    warnings=_warnings,
    fixes=_fixes,
    variables=_variables,
)
