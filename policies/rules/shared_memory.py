"""GPU containers have a `/dev/shm` that is large enough, and limited in size.

The runtime's default of 64 MiB is too small for data loaders and NCCL. What is written there is
charged to the memory of the container that writes, so a size above its limit gets it killed:
https://kubernetes.io/docs/concepts/storage/volumes/#emptydir

Where GPUs are shared by MPS, the device plugin mounts the memory of the MPS daemon there, and a
volume of the pod would hide it: https://github.com/NVIDIA/k8s-device-plugin (v0.20.0,
internal/plugin/mps.go)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.capacity import holds
from policies.document import each
from policies.finding import Severity
from policies.fix import append
from policies.quantity import format_bytes
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.operation import Operation
    from policies.pod import Pod
    from policies.settings import PoolSettings, SharedMemorySettings

PATH = "/dev/shm"  # noqa: S108 # where Linux has POSIX shared memory
VOLUME = "gpuplane-shm"
_MIB = 2**20


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Mount memory at `/dev/shm` in each container that asks for a GPU and has no mount there.

    Where GPUs are shared by MPS, refuse what is mounted there instead.
    """
    if pod.spec.get("hostIPC") is True:
        return ()
    asking = [container for container in pod.containers if container.asks_for_gpu]
    reached = context.reach(pod).pools
    by_mps = [pool for pool in reached if _shares_by_mps(pool, pod) and holds(pool, pod)]
    if by_mps:
        names = ", ".join([pool.name for pool in by_mps])
        able = [pool for pool in reached if holds(pool, pod)]
        severity = Severity.REFUSE if len(by_mps) == len(able) else Severity.WARN
        mounted = [container for container in asking if container.mounts_at(PATH)]
        return [_hidden(container, names, severity) for container in mounted]
    return _mounted(pod, [c for c in asking if not c.mounts_at(PATH)], context)


def _shares_by_mps(pool: PoolSettings, pod: Pod) -> bool:
    for resource in pool.resources:
        if resource.sharing is SharingKind.MPS and resource.name in pod.gpus:
            return True
    return False


def _hidden(container: Container, pools: str, severity: Severity) -> Finding:
    return RULE.finding(
        path=container.pointer,
        culprit=container.culprit,
        message=f"The {container.culprit} mounts a volume at {PATH}, which hides the memory that "
        f"MPS shares the GPUs of {pools} through: CUDA fails there.",
        remedy="Mount it elsewhere, or choose a pool without MPS.",
        severity=severity,
    )


def _mounted(pod: Pod, containers: list[Container], context: Context) -> Iterable[Finding]:
    if not containers:
        return ()
    size = format_bytes(_size(pod, containers, context.settings.shared_memory))
    fix = _fix(pod, containers, size)
    if not fix:
        return ()
    culprits = ", ".join([container.culprit for container in containers])
    have = "has" if len(containers) == 1 else "have"
    finding = RULE.finding(
        path="/spec/volumes",
        culprit=culprits,
        message=f"{_capital(culprits)} {have} no volume at {PATH}, which is 64 MiB by default.",
        remedy=f"Mount an emptyDir with medium Memory and sizeLimit {size} there.",
        fix=fix,
    )
    return (finding,)


def _size(pod: Pod, containers: list[Container], sizing: SharedMemorySettings) -> int:
    limits = [pod.limit_of(container, "memory") for container in containers]
    bounds = [int(limit) for limit in limits if limit is not None and limit >= 1]
    if len(bounds) < len(limits):
        return min(sizing.default, *bounds) if bounds else sizing.default
    bound = min(bounds)
    share = min(max(int(bound * sizing.fraction), sizing.floor), sizing.cap, bound)
    return share - share % _MIB if share > _MIB else share


def _fix(pod: Pod, containers: list[Container], size: str) -> tuple[Operation, ...]:
    name = _free_name(pod)
    volume = {"name": name, "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    operations = append(pod.document, "", ("spec", "volumes"), [volume])
    for container in containers:
        mount = {"name": name, "mountPath": PATH}
        mounted = append(container.raw, container.pointer, ("volumeMounts",), [mount])
        if not mounted or not operations:
            return ()
        operations += mounted
    return operations


def _free_name(pod: Pod) -> str:
    taken = {name for name in each(pod.volumes, "name") if type(name) is str}
    name, number = VOLUME, 2
    while name in taken:
        name, number = f"{VOLUME}-{number}", number + 1
    return name


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


RULE: Rule = Rule(
    RuleName.SHARED_MEMORY,
    summary="A container that asks for a GPU has a bounded volume in memory at /dev/shm.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
