"""The quota of a namespace on each pool, and the cohorts in which namespaces lend it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from charts_py.cluster_file.queues import Borrowing, Queues, QueueStrategy
from charts_py.cluster_file.team import Team
from charts_py.components.kueue.api import API_VERSION, GROUP
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects, tolerations_of
from charts_py.platform.fabric import has_channels
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.queue_quota import ANY_NUMBER, QueueQuota, queue_pools, queue_quotas
from gpus.platform_names import (
    GPU_MODEL,
    INTERCONNECT,
    LABEL_PREFIX,
    NVLINK,
    NVLINK_CHANNEL,
    POOL,
    PURCHASE,
)

ALL_TEAMS = f"all-teams.{LABEL_PREFIX}"
"""The Cohort over all teams; the name of a team has no dot."""
QUEUED_NODES = "queued-nodes"
"""The AdmissionCheck, and its configuration."""
_ASKED_FOR = (POOL, PURCHASE, GPU_MODEL, INTERCONNECT, NVLINK)
"""Labels of nodes by which pods choose a pool. Kueue heeds a node selector only where some flavor
has its label."""
_SUFFIXES = ("", "k", "M", "G", "T", "P", "E")
_STEP = 1000
Quotas: TypeAlias = Mapping[str, Mapping[str, QueueQuota]]
"""Quotas by pool, then by resource."""
_NOTHING = QueueQuota(0, 0)
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
        **strategy(platform, namespace),
        "flavorFungibility": {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"},
        "preemption": dict(_IN_COHORT if borrows else _ALONE),
        **admission_checks(quotas, platform),
    }
    return object_of(API_VERSION, "ClusterQueue", ObjectMeta(namespace.name), {"spec": spec})


def strategy(platform: Platform, namespace: TeamNamespace) -> Mapping[str, str]:
    """Return the strategy of a queue where it is not Kueue's default."""
    of_cluster = (platform.cluster.queues or Queues()).strategy
    is_strict = (namespace.spec.queue_strategy or of_cluster) is QueueStrategy.STRICT
    return {"queueingStrategy": "StrictFIFO"} if is_strict else {}


def _channels(platform: Platform, pool: PlatformPool) -> Mapping[str, QueueQuota]:
    """Return the quota on channels of NVLink domains, which bounds nothing.

    The quota of the namespace bounds its claims.
    """
    unbounded = QueueQuota(ANY_NUMBER, borrowing_limit=0, lending_limit=0)
    return {NVLINK_CHANNEL: unbounded} if has_channels(platform, pool) else {}


def cohorts(platform: Platform, borrowing: Borrowing) -> Iterator[Document]:
    """Yield a Cohort for each team, and one over all where they lend to each other."""
    if borrowing is Borrowing.NONE:
        return
    is_shared = borrowing is Borrowing.CLUSTER
    if is_shared:
        yield _cohort(ALL_TEAMS, {})
    for name, team in sorted(platform.cluster.teams.items()):
        yield _cohort(name, _among_teams(team) if is_shared else {})


def _among_teams(team: Team) -> dict[str, Any]:
    return {"parentName": ALL_TEAMS, "fairSharing": {"weight": team.share}}


def _cohort(name: str, spec: dict[str, Any]) -> Document:
    return object_of(API_VERSION, "Cohort", ObjectMeta(name), {"spec": spec})


def resource_flavor(pool: PlatformPool) -> Document:
    """Return the ResourceFlavor of a pool.

    The label of the pool is on the nodes of no other, so that no GPU is counted twice
    (https://github.com/kubernetes-sigs/kueue/issues/10659). The flavor brings the tolerations that
    every pod on these nodes needs, since Kueue reads the pods of a job before admission has fixed
    them. That of spot nodes a job brings itself.
    """
    facts = pool.facts
    spot = (facts.spot_taint,) if facts.spot_taint else ()
    spec: dict[str, Any] = {
        "nodeLabels": {label: facts.labels[label] for label in _ASKED_FOR if label in facts.labels},
        **({"nodeTaints": taint_objects(spot)} if spot else {}),
        "tolerations": tolerations_of(taint for taint in facts.taints if taint not in spot),
        **({"topologyName": pool.name} if pool.spec.topology is not None else {}),
    }
    return object_of(API_VERSION, "ResourceFlavor", ObjectMeta(pool.name), {"spec": spec})


def quantity(count: int) -> str:
    """Return a count that is not negative in the canonical form of Kubernetes: 2000 as `2k`.

    Kueue's webhook rewrites a ClusterQueue, with every quantity in that form. Argo CD takes any
    other for a difference, and would apply the object again for ever.
    https://github.com/kubernetes/apimachinery, pkg/api/resource/quantity.go
    """
    for suffix in _SUFFIXES[:-1]:
        if count == 0 or count % _STEP:
            return f"{count}{suffix}"
        count //= _STEP
    return f"{count}{_SUFFIXES[-1]}"


def resource_groups(quotas: Quotas, *, is_bounded: bool) -> list[dict[str, Any]]:
    """Return the groups of a ClusterQueue, in the order of the pools.

    A resource stands in one group alone, and every flavor of a group has a quota on each resource
    of the group. So pools that offer a resource in common are one group, and a pool has 0 of what
    others in its group offer: pools of whole GPUs, and beside them those of each MIG layout.

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


def provisioning(platform: Platform) -> Iterator[Document]:
    """Yield the check of jobs that wait for nodes, where some pool has such nodes.

    GKE takes one set of pods a request, so that what asks for the same nodes is one
    (https://github.com/kubernetes-sigs/kueue/issues/5266).
    https://kueue.sigs.k8s.io/docs/concepts/admission_check/provisioning_request/
    """
    queued = [pool for pool in platform.pools if pool.spec.nodes.queued]
    if not queued:
        return
    resources = sorted({resource.name for pool in queued for resource in pool.facts.resources})
    metadata = ObjectMeta(QUEUED_NODES)
    config = {
        "provisioningClassName": platform.provider.provisioning_class,
        "managedResources": resources,
        "podSetMergePolicy": "IdenticalWorkloadSchedulingRequirements",
    }
    yield object_of(API_VERSION, "ProvisioningRequestConfig", metadata, {"spec": config})
    check = {
        "controllerName": f"{GROUP}/provisioning-request",
        "parameters": {
            "apiGroup": GROUP,
            "kind": "ProvisioningRequestConfig",
            "name": QUEUED_NODES,
        },
    }
    yield object_of(API_VERSION, "AdmissionCheck", metadata, {"spec": check})


def admission_checks(pools: Iterable[str], platform: Platform) -> dict[str, Any]:
    """Return the part of a ClusterQueue with these pools that has jobs wait for nodes."""
    queued = [pool for pool in pools if platform.pool(pool).spec.nodes.queued]
    if not queued:
        return {}
    rule = {"name": QUEUED_NODES, "onFlavors": queued}
    return {"admissionChecksStrategy": {"admissionChecks": [rule]}}
