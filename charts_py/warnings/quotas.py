"""Quotas of CPUs and memory that do not go with those of GPUs."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from charts_py.cluster_file.fault import Fault
from charts_py.cluster_file.quantity import bytes_of, format_cpus, millicpu_of
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.provider_facts import NodeHardware
from charts_py.warnings.cluster_warning import ClusterWarning
from policies.quantity import format_bytes

_MARGIN = 2
"""So often may a quota hold what its GPU pools have: pods without GPUs run on other nodes."""
_LEAST = 8
"""A quota may hold such a part of what comes with its GPUs: few pods use all of it."""


class _Amount(NamedTuple):
    """One resource of a quota, and how much of it a node has."""

    field: str
    written: str
    stated: int
    of_node: Callable[[NodeHardware], int]
    show: Callable[[int], str]


def warn_of_quota_capacity(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each quota far above what its pools have, or below what GPUs need."""
    for namespace in platform.namespaces:
        gpus, quota = namespace.spec.quota.gpus, namespace.spec.quota
        pools = tuple(pool for pool in platform.pools if gpus.get(pool.name, 0) > 0)
        for amount in (
            _Amount(
                "cpu",
                f"{quota.cpu} CPUs",
                millicpu_of(quota.cpu),
                lambda node: node.cpu * 1000,
                _cpus,
            ),
            _Amount(
                "memory",
                quota.memory,
                bytes_of(quota.memory),
                lambda node: node.memory,
                format_bytes,
            ),
        ):
            if pools and (told := _told(platform, namespace, pools, amount)):
                yield ClusterWarning(told)


def _told(
    platform: Platform, namespace: TeamNamespace, pools: tuple[PlatformPool, ...], amount: _Amount
) -> Fault | None:
    gpus = namespace.spec.quota.gpus
    names, stated = ", ".join(pool.name for pool in pools), amount.written
    path = ("teams", namespace.team_name, "namespaces", namespace.name, "quota", amount.field)
    most = sum(pool.spec.nodes.max * amount.of_node(pool.hardware) for pool in pools)
    share = sum(
        amount.of_node(pool.hardware) * gpus[pool.name] // pool.facts.allocations_per_node
        for pool in pools
    )
    if amount.stated > _MARGIN * most:
        what = (
            f"a quota of {stated} is far above the {amount.show(most)} of {names} at their largest"
        )
        allowed = f"what its pods need, at most {_MARGIN} times as much"
        return platform.fault(path, what, allowed)
    if amount.stated * _LEAST < share:
        what = (
            f"a quota of {stated} is far below the {amount.show(share)} that {names} have with its "
            "GPUs: it is used up, and refuses pods, while GPUs are free"
        )
        return platform.fault(path, what, f"what its pods need, such as {amount.show(share)}")
    return None


def _cpus(millicpu: int) -> str:
    return f"{format_cpus(millicpu)} CPUs"
