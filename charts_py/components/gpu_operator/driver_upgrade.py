"""How the operator replaces the driver of nodes that run: how many at once, and after what wait.

It cordons a node, waits for its jobs, evicts its other GPU pods and reloads the driver. It counts
nodes of all pools as one. What is not stated follows from the nodes that the pools can have, and
from the purposes of the namespaces that have their GPUs.
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-driver-upgrades.html
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import Fault
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import Platform
from gpus.model import NVIDIA
from gpus.platform_names import PURPOSE, TEAM

_MINUTES_PER_HOUR, _SECONDS_PER_MINUTE = 60, 60


@dataclass(frozen=True, slots=True)
class _Pace:
    """How fast nodes are upgraded that serve a purpose."""

    percent: int
    """The part of all nodes that is upgraded at the same time."""
    job_hours: int
    """How long a node waits for its jobs; batch has what a drifted node of Karpenter leaves it."""


# A service misses its nodes at once, a job only those that it would start on.
_PACES: Mapping[Purpose, _Pace] = {
    Purpose.TRAINING: _Pace(percent=10, job_hours=24),
    Purpose.BATCH: _Pace(percent=10, job_hours=6),
    Purpose.NOTEBOOKS: _Pace(percent=10, job_hours=1),
    Purpose.INFERENCE: _Pace(percent=5, job_hours=1),
}
_MOVABLE = (Purpose.INFERENCE, Purpose.NOTEBOOKS)
"""What runs on another node as well; all else loses its work when it is stopped."""


def upgrade_policy(platform: Platform) -> dict[str, Any]:
    """Return how a node is freed of GPU pods before its driver is replaced.

    A node whose pods could not be deleted fails for good, cordoned, and takes the place of one that
    could be upgraded. That happens with one pod that has an emptyDir, which the webhook adds, or no
    controller, and when a disruption budget holds out; so the first two may go, and the last is
    waited for. The labels are looked for on pods of any phase but finished; a team's pod without a
    purpose is older than that label, and waited for too.
    pod_manager.go in https://github.com/NVIDIA/k8s-operator-libs/tree/main/pkg/upgrade
    """
    stated = platform.cluster.driver.upgrade
    movable = ",".join(purpose.value for purpose in _MOVABLE)
    unavailable = stated.max_unavailable
    return {
        "autoUpgrade": True,
        "maxParallelUpgrades": parallel_upgrades(platform),
        "maxUnavailable": int(unavailable) if unavailable.isdecimal() else unavailable,
        "waitForCompletion": {
            "podSelector": f"{TEAM},{PURPOSE} notin ({movable})",
            "timeoutSeconds": _job_minutes(platform) * _SECONDS_PER_MINUTE,
        },
        "gpuPodDeletion": {"deleteEmptyDir": True, "force": True, "timeoutSeconds": 0},
    }


def parallel_upgrades(platform: Platform) -> int:
    """Return how many nodes are upgraded at once; by default a part of all that there can be."""
    stated = platform.cluster.driver.upgrade.max_parallel_upgrades
    if stated is not None:
        return stated
    nodes = sum(pool.spec.nodes.max for pool in platform.pools_of(NVIDIA))
    percent = min(pace.percent for pace in _paces(platform))
    return -(-nodes * percent // 100)


def _job_minutes(platform: Platform) -> int:
    stated = platform.cluster.driver.upgrade.job_timeout_minutes
    if stated is not None:
        return stated
    return max(pace.job_hours for pace in _paces(platform)) * _MINUTES_PER_HOUR


def _paces(platform: Platform) -> tuple[_Pace, ...]:
    """Return the paces of who has the GPUs; of the pools themselves where nobody does."""
    pools = platform.pools_of(NVIDIA)
    names = {pool.name for pool in pools}
    found = {
        namespace.spec.purpose
        for namespace in platform.namespaces
        if any(quota for pool, quota in namespace.spec.quota.gpus.items() if pool in names)
    }
    return tuple(_PACES[each] for each in found or {pool.spec.purpose for pool in pools})


def hasty_upgrades(platform: Platform) -> Iterator[Fault]:
    """Yield a warning where more nodes are upgraded at once than there are, or than serve."""
    if platform.driver_owner is not DriverOwner.OPERATOR:
        return
    at_once, pools = parallel_upgrades(platform), platform.pools_of(NVIDIA)
    most = sum(pool.spec.nodes.max for pool in pools)
    if at_once > most:
        what = f"{at_once} is more than the {most} nodes that there can be"
        path = ("driver", "upgrade", "maxParallelUpgrades")
        yield platform.fault(path, what, f"at most {most}, or no line")
    yield from _services_that_may_stop(platform, at_once)


def _services_that_may_stop(platform: Platform, at_once: int) -> Iterator[Fault]:
    """Yield a warning for each pool that serves and whose nodes may all be upgraded together."""
    for pool in platform.pools_of(NVIDIA):
        nodes = pool.spec.nodes.max
        if pool.spec.purpose is Purpose.INFERENCE and 1 < nodes <= at_once:
            what = (
                f"the driver of up to {at_once} nodes is replaced at the same time, which may be "
                f"all {nodes} of this pool: only PodDisruptionBudgets keep its services"
            )
            allowed = f"driver.upgrade.maxParallelUpgrades below {nodes}"
            yield platform.fault(("pools", pool.name), what, allowed)
