"""GPU containers have a `/dev/shm` that is large enough, and limited in size.

The runtime's default of 64 MiB is too small for data loaders and NCCL. What is written there is
charged to the memory of the container that writes, so a size above its limit gets it killed:
https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from policies.settings import SharedMemorySettings

PATH = "/dev/shm"  # noqa: S108 # where Linux has POSIX shared memory
VOLUME = "gpuplane-shm"
_MIB = 2**20


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Mount memory at `/dev/shm` in each container that asks for a GPU and has no mount there."""
    if pod.spec.get("hostIPC") is True:
        return ()
    containers = [c for c in pod.containers if c.asks_for_gpu and not c.mounts_at(PATH)]
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
