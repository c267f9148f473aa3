"""Where Kueue places the pods of a job on a pool with a topology.

From the level that is preferred it goes outwards, one by one, until all pods fit into one place,
and into several at last (`findLevelWithFitDomains` in pkg/cache/scheduler/tas_flavor_snapshot.go of
https://github.com/kubernetes-sigs/kueue at v0.19.2). Of pods that name no level it takes any nodes,
or none where other pools of the quota have no topology.
"""

from collections.abc import Mapping

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pool_hardware import topology_levels

PODSET = "kueue.x-k8s.io/podset"
"""Begins the annotations of pods that say where Kueue places them."""
WITH_LAUNCHER: Mapping[str, str] = {f"{PODSET}-group-name": "job"}
"""Has pods of two templates placed as one; one of the templates makes a single pod."""


def queue_levels(platform: Platform, pool: PlatformPool) -> tuple[str, ...]:
    """Return the levels by which Kueue places pods, the node as the last; none without it."""
    if platform.cluster.queue_engine is not QueueEngine.KUEUE:
        return ()
    return topology_levels(pool.spec, pool.hardware, platform.provider)


def near_each_other(platform: Platform, pool: PlatformPool) -> Mapping[str, str]:
    """Return annotations by which Kueue places pods as near each other as there is room."""
    levels = queue_levels(platform, pool)
    return {f"{PODSET}-preferred-topology": levels[-1]} if levels else {}
