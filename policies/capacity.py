"""Whether a node has enough of what a pod asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind

if TYPE_CHECKING:
    from policies.pod import Pod
    from policies.settings import PoolSettings

SHARED = frozenset({SharingKind.TIME_SLICING, SharingKind.MPS, SharingKind.MIG_TIME_SLICING})
"""The ways of sharing in which two allocations can be of the same GPU or MIG instance."""


def holds(pool: PoolSettings, pod: Pod) -> bool:
    """Whether a node of the pool, which offers all that the pod asks for, has enough of it."""
    for resource in pool.resources:
        amount = pod.gpus.get(resource.name, 0)
        if amount > resource.per_node:
            return False
        # Several shares in one container fail only when it starts.
        if amount > 1 and resource.sharing in SHARED and _asks_for_several(pod, resource.name):
            return False
    return True


def _asks_for_several(pod: Pod, resource: str) -> bool:
    return any((container.gpus.get(resource) or 0) > 1 for container in pod.gpu_containers)
