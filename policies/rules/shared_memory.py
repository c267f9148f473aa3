"""GPU containers have a `/dev/shm` that is large enough, and limited in size.

The runtime's default of 64 MiB is too small for data loaders and NCCL. All containers of a pod
share it, init containers too: the runtime mounts that of the pod's sandbox in each that mounts
nothing there itself. So the volume that takes its place is mounted in each of them, too. Source:
`linuxContainerMounts` in
https://github.com/containerd/containerd/blob/v2.3.4/internal/cri/server/container_create.go

One volume has one size: the largest that a container with a GPU would be given alone. What is
written is charged to the memory of the container that writes, so that one with a lower limit is
killed for its own writes only, and would crash at the end of a smaller volume as well:
https://kubernetes.io/docs/concepts/storage/volumes/#emptydir

Where GPUs are shared by MPS, the device plugin mounts the memory of the MPS daemon there, and a
volume of the pod would hide it: https://github.com/NVIDIA/k8s-device-plugin (v0.20.0,
internal/plugin/mps.go)
"""

from collections.abc import Iterable, Iterator

from gpus.sharing import SharingKind
from policies.cel.amounts import amount, formatted, whole_bytes
from policies.cel.gpus import ASKS
from policies.cel.patch import append_in_cel, object_literal, of_containers
from policies.cel.pod import HOST_IPC, INIT_CONTAINERS, MOUNTS, VOLUMES, parts
from policies.cel.text import quote
from policies.cel.variables import Variables
from policies.container import Container, ContainerKind, culprits
from policies.document import each, elements
from policies.finding import Finding, Severity
from policies.fix import append
from policies.mounted_memory import faults, mount_faults
from policies.operation import Operation
from policies.pod import Pod
from policies.quantity import Quantity, format_bytes
from policies.reach import holds
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings, SharedMemorySettings, are_shared_by

PATH = "/dev/shm"  # noqa: S108 # where Linux has POSIX shared memory
VOLUME = "gpuplane-shm"
MIB = 2**20
_EPHEMERAL = ContainerKind.EPHEMERAL  # looking up an enum member is slow in Python 3.11

_HIDDEN = Message(
    "The {culprit} mounts a volume at /dev/shm, which hides the memory that MPS shares the GPUs of "
    "{pools} through: CUDA fails there.",
    "Mount it elsewhere, or choose a pool without MPS.",
)
_LACKING_VOLUME = Message(
    "{culprits} {have} no volume at /dev/shm, which is 64 MiB by default.",
    "Mount an emptyDir with medium Memory and sizeLimit {size} there{too}.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Mount memory at `/dev/shm` where a container that asks for a GPU has no mount there.

    Every other container without one is given the same volume. What a container with a GPU mounts
    there itself is left as it is, with a warning where it is not bounded memory. Where GPUs are
    shared by MPS, refuse such a mount instead.
    """
    if pod.spec.get("hostIPC") is True:
        return ()
    asking = [one for one in pod.containers if one.asks_for_gpu and _starts_with(one)]
    reached = context.reach(pod).pools
    by_mps = [pool for pool in reached if _shares_by_mps(pool, pod) and holds(pool, pod)]
    if by_mps:
        names = ", ".join([pool.name for pool in by_mps])
        able = [pool for pool in reached if holds(pool, pod)]
        severity = Severity.REFUSE if len(by_mps) == len(able) else Severity.WARN
        return [
            RULE.finding(_HIDDEN, path="", of=container, severity=severity, pools=names)
            for container in asking
            if container.mounts_at(PATH)
        ]
    return _without_mps(pod, asking, context.settings.shared_memory) if asking else ()


def _starts_with(container: Container) -> bool:
    """Whether the pod starts with it; an ephemeral container joins a pod that runs."""
    return container.kind is not _EPHEMERAL


def _without_mps(
    pod: Pod, asking: list[Container], sizing: SharedMemorySettings
) -> Iterator[Finding]:
    lacking = [container for container in asking if not container.mounts_at(PATH)]
    if lacking:
        yield from _mounted(pod, lacking, format_bytes(_size(pod, lacking, sizing)))
    if len(lacking) < len(asking):
        size = format_bytes(_size(pod, asking, sizing))
        for container, message, values in mount_faults(pod, asking, PATH, size):
            yield RULE.finding(
                message, path="", of=container, severity=Severity.WARN, values=values
            )


def _shares_by_mps(pool: PoolSettings, pod: Pod) -> bool:
    for resource in pool.resources:
        if resource.sharing is SharingKind.MPS and resource.name in pod.gpus:
            return True
    return False


def _mounted(pod: Pod, lacking: list[Container], size: str) -> Iterable[Finding]:
    given = [one for one in pod.containers if _starts_with(one) and not one.mounts_at(PATH)]
    fix = _fix(pod, given, size)
    if not fix:
        return ()
    named = culprits(lacking)
    sharing = [container for container in given if not container.asks_for_gpu]
    values = {
        "culprits": named[:1].upper() + named[1:],
        "have": "has" if len(lacking) == 1 else "have",
        "size": size,
        "too": _too(sharing),
    }
    path = "/spec/volumes"
    return (RULE.finding(_LACKING_VOLUME, path=path, culprit=named, fix=fix, values=values),)


def _too(sharing: list[Container]) -> str:
    if not sharing:
        return ""
    return f", and in {culprits(sharing)}, which {'shares' if len(sharing) == 1 else 'share'} it"


def _size(pod: Pod, containers: list[Container], sizing: SharedMemorySettings) -> int:
    return max(
        [share_of_memory(pod.limit_of(container, "memory"), sizing) for container in containers]
    )


def share_of_memory(limit: Quantity | None, sizing: SharedMemorySettings) -> int:
    """Return the size in bytes that a container with that memory limit would be given alone."""
    if limit is None or limit < 1:
        return sizing.default
    # No limit above this has a larger share, and a float holds it.
    bound = int(min(limit, sizing.cap / sizing.fraction))
    share = min(max(int(bound * sizing.fraction), sizing.floor), sizing.cap, bound)
    return share - share % MIB if share > MIB else share


def _fix(pod: Pod, containers: list[Container], size: str) -> tuple[Operation, ...]:
    name = _free_name(pod)
    volume = {"name": name, "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    operations = list(append(pod.document, "", ("spec", "volumes"), [volume]))
    if not operations:
        return ()
    for container in containers:
        mount = {"name": name, "mountPath": PATH}
        mounted = append(container.raw, container.pointer, ("volumeMounts",), [mount])
        if not mounted:
            return ()
        operations += mounted
    return tuple(operations)


def _free_name(pod: Pod) -> str:
    names = each(pod.volumes, "name")
    for container in pod.containers:  # a mount may name a volume that is missing
        names += each(elements(container.raw.get("volumeMounts")), "name")
    taken = {name for name in names if type(name) is str}
    name, number = VOLUME, 2
    while name in taken:
        name, number = f"{VOLUME}-{number}", number + 1
    return name


_MOUNTED = (
    f"({MOUNTS}.map(mount, mount.mountPath)"
    " + container.?volumeDevices.orValue([]).map(device, device.devicePath))"
    f".exists(path, path.contains({quote(PATH[:4])})"
    f" && [{parts('path')}].exists(parts,"
    ' parts == ["dev"] || parts == ["dev", "shm"] || ".." in parts))'
)
_STARTING = f"({INIT_CONTAINERS} + object.spec.containers)"
_LIMIT = (
    'container.?resources.?limits[?"memory"]'
    '.or(object.spec.?resources.?limits[?"memory"]).orValue("0")'
)
_BY_MPS_ALONE = (SharingKind.MPS,)
_ASKING = "variables.shared_memory_asking"
_LACKING = "variables.shared_memory_lacking"
_BY_MPS = "variables.shared_memory_by_mps"
_SIZE = "variables.shared_memory_size"
_NAME = "variables.shared_memory_volume"
_TAKEN = "variables.shared_memory_taken"
_IS_BY_MPS = (
    "variables.wanted.exists(resource, variables.sharing[pool][resource] =="
    f" {quote(SharingKind.MPS.value)})"
)
_BEGINS = f"startsWith({quote(VOLUME)})"
_NAMES: Variables = {
    # That a mount names which the pod does not have is none to take, either.
    "shared_memory_taken": f"{VOLUMES}.map(volume, volume.name).filter(name, name.{_BEGINS})"
    f" + variables.containers.map(container, {MOUNTS}"
    f".map(mount, mount.name).filter(name, name.{_BEGINS})).flatten()",
    "shared_memory_volume": f"lists.range(size({_TAKEN}) + 1).map(number,"
    f" {quote(VOLUME)} + (number == 0 ? {quote('')} : {quote('-')} + string(number + 1)))"
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


def _hidden_in_cel() -> str:
    """Return CEL for the mounts that hide the memory of MPS."""
    found = _HIDDEN.in_cel(pools=f'{_BY_MPS}.join(", ")')
    return f"variables.shared_memory_mounted.map(container, {found})"


def _refusals_in_cel(settings: Settings) -> str:
    if not are_shared_by(_BY_MPS_ALONE, settings.pools):
        return ""
    are_some = f"size({_BY_MPS}) == 0 || size({_BY_MPS}) < size(variables.holding)"
    return f"{are_some} ? [] : {_hidden_in_cel()}"


def _warnings_in_cel(settings: Settings) -> str:
    found = "variables.shared_memory_faults"
    if not are_shared_by(_BY_MPS_ALONE, settings.pools):
        return found
    return (
        f"size({_BY_MPS}) == 0 ? {found}"
        f" : size({_BY_MPS}) < size(variables.holding) ? {_hidden_in_cel()} : []"
    )


_MEMORY = object_literal({"medium": quote("Memory"), "sizeLimit": formatted(_SIZE)})
_VOLUME = object_literal({"name": _NAME, "emptyDir": _MEMORY})
_MOUNT = object_literal({"name": _NAME, "mountPath": quote(PATH)})
_ADDED = append_in_cel("has(object.spec.volumes)", quote("/spec/volumes"), f"[{_VOLUME}]")
_MOUNTS = append_in_cel("has(container.volumeMounts)", 'placed[0] + "/volumeMounts"', f"[{_MOUNT}]")
_FIXED = f"size({_LACKING}) == 0 ? [] : {_ADDED} + {of_containers(f'!{_MOUNTED}', _MOUNTS)}"

RULE: Rule = Rule(
    RuleName.SHARED_MEMORY,
    summary="A container that asks for a GPU has a bounded volume in memory at /dev/shm.",
    severity=Severity.FIX,
    evaluate=evaluate,
    in_cel=InCel(
        refusals=_refusals_in_cel,
        warnings=_warnings_in_cel,
        fixes=always(_FIXED),
        variables=_variables,
    ),
)
