"""The quotas of a namespace in the groups that Kueue wants them in.

A resource stands in one group alone, and every flavor of a group has a quota on each resource of
the group. So pools that offer a resource in common are one group, and a pool has 0 of what others
in its group offer: pools of whole GPUs, and beside them those of each MIG layout.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from charts_py.components.kueue_queues.quantity import quantity
from charts_py.platform.queue_quota import QueueQuota

Quotas: TypeAlias = Mapping[str, Mapping[str, QueueQuota]]
"""By pool, then by resource."""

_NOTHING = QueueQuota(0, 0)


def resource_groups(quotas: Quotas, *, is_bounded: bool) -> list[dict[str, Any]]:
    """Return the groups of a ClusterQueue, in the order of the pools.

    Where nothing is borrowed, the API server allows no bound on that (`is_bounded` is false).
    """
    return [_group(pools, quotas, is_bounded) for pools in _related(quotas)]


def _group(pools: tuple[str, ...], quotas: Quotas, is_bounded: bool) -> dict[str, Any]:
    resources = sorted({resource for pool in pools for resource in quotas[pool]})
    return {
        "coveredResources": resources,
        "flavors": [
            {
                "name": pool,
                "resources": [
                    _resource(resource, quotas[pool].get(resource, _NOTHING), is_bounded)
                    for resource in resources
                ],
            }
            for pool in pools
        ],
    }


def _resource(name: str, quota: QueueQuota, is_bounded: bool) -> dict[str, Any]:
    limits = {"borrowingLimit": quota.borrowing_limit, "lendingLimit": quota.lending_limit}
    stated = {
        key: quantity(limit) for key, limit in limits.items() if is_bounded and limit is not None
    }
    return {"name": name, "nominalQuota": quantity(quota.nominal), **stated}


def _related(quotas: Quotas) -> list[tuple[str, ...]]:
    """Return the pools that have resources in common, directly or by others between them."""
    groups: list[tuple[str, ...]] = []
    for pool, resources in quotas.items():
        near = [g for g in groups if any(resources.keys() & quotas[other].keys() for other in g)]
        joined = tuple(other for group in near for other in group)
        groups = [group for group in groups if group not in near]
        groups.append((*joined, pool))
    return groups
