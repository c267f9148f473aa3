"""Quotas on CPUs and memory that the pools of a namespace could never fill."""

from collections.abc import Callable, Iterator

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.warnings.cluster_warning import ClusterWarning
from policies.quantity import format_bytes

_MARGIN = 2
"""So often may a quota hold what its GPU pools have: pods without GPUs run on other nodes."""


def warn_of_quota_capacity(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each quota far above what the namespace's pools have at their largest."""
    for namespace in platform.namespaces:
        quota, pools = namespace.spec.quota, _pools(platform, namespace)
        cpus, memory = _at_most(pools, _cpus), _at_most(pools, _memory)
        if pools and _cpus_of(quota.cpu) > _MARGIN * cpus:
            what = f"{quota.cpu} CPUs are far above the {cpus} of {_named(pools)}"
            yield _warning(platform, (*_path(namespace), "cpu"), what)
        if pools and bytes_of(quota.memory) > _MARGIN * memory:
            what = f"{quota.memory} is far above the {format_bytes(memory)} of {_named(pools)}"
            yield _warning(platform, (*_path(namespace), "memory"), what)


def _warning(platform: Platform, path: FieldPath, what: str) -> ClusterWarning:
    allowed = f"what its pods need, at most {_MARGIN} times as much"
    return ClusterWarning(platform.fault(path, f"{what} at their largest", allowed))


def _path(namespace: TeamNamespace) -> FieldPath:
    return ("teams", namespace.team_name, "namespaces", namespace.name, "quota")


def _pools(platform: Platform, namespace: TeamNamespace) -> list[PlatformPool]:
    granted = {name for name, count in namespace.spec.quota.gpus.items() if count > 0}
    return [pool for pool in platform.pools if pool.name in granted]


def _at_most(pools: list[PlatformPool], amount: Callable[[PlatformPool], int]) -> int:
    return sum(pool.spec.nodes.max * amount(pool) for pool in pools)


def _cpus(pool: PlatformPool) -> int:
    return pool.hardware.cpu


def _memory(pool: PlatformPool) -> int:
    return pool.hardware.memory


def _cpus_of(quantity: str) -> float:
    """Return CPUs as a cluster file holds them once it is read: whole, or thousandths."""
    milli = quantity.removesuffix("m")
    return int(milli) / 1000 if milli != quantity else int(quantity)


def _named(pools: list[PlatformPool]) -> str:
    return ", ".join(pool.name for pool in pools)
