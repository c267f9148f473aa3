"""What a namespace may have, and whom it gives way to."""

from collections.abc import Mapping
from typing import Any

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.components.kueue_queues.provisioning import admission_checks
from charts_py.components.kueue_queues.resource_groups import resource_groups
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.fabric import has_channels
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.queue_quota import ANY_NUMBER, QueueQuota, queue_pools, queue_quotas
from gpus.platform_names import NVLINK_CHANNEL

_ALONE: Mapping[str, str] = {"withinClusterQueue": "LowerPriority"}
_IN_COHORT: Mapping[str, str] = {**_ALONE, "reclaimWithinCohort": "Any"}


def cluster_queue(platform: Platform, namespace: TeamNamespace, borrowing: Borrowing) -> Document:
    """Return the ClusterQueue of a namespace, which no other can use.

    Flavors are tried in the order in which the quota names the pools: the next one before anything
    is borrowed, and before anybody is preempted.
    """
    borrows = borrowing is not Borrowing.NONE
    quotas = {
        pool.name: {**queue_quotas(platform, namespace, pool), **_channels(platform, pool)}
        for pool in queue_pools(platform, namespace)
    }
    spec: dict[str, Any] = {
        "namespaceSelector": {"matchLabels": {NAMESPACE_NAME_LABEL: namespace.name}},
        **({"cohortName": namespace.team_name} if borrows else {}),
        "resourceGroups": resource_groups(quotas, is_bounded=borrows),
        "flavorFungibility": {
            "whenCanBorrow": "TryNextFlavor",
            "whenCanPreempt": "TryNextFlavor",
        },
        "preemption": dict(_IN_COHORT if borrows else _ALONE),
        **admission_checks(quotas, platform),
    }
    return object_of(API_VERSION, "ClusterQueue", ObjectMeta(namespace.name), {"spec": spec})


def _channels(platform: Platform, pool: PlatformPool) -> Mapping[str, QueueQuota]:
    """Return the quota on channels of NVLink domains, which bounds nothing.

    The quota of the namespace bounds its claims.
    """
    unbounded = QueueQuota(ANY_NUMBER, borrowing_limit=0, lending_limit=0)
    return {NVLINK_CHANNEL: unbounded} if has_channels(platform, pool) else {}
