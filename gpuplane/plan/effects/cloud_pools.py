"""Rollouts of the pools that clouds manage, and conditions on changes that reach their nodes."""

from charts_py.objects.document import Document
from charts_py.providers.placeholder import PRIORITY_CLASS
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange, is_lowered
from gpuplane.plan.pools import pools_of
from gpuplane.plan.rollout import SECONDS_PER_MINUTE, Mechanism, Rollout
from policies.document import value_at

_GKE_DRAIN_SECONDS = 3600
"""A surge upgrade waits so long for pods to go, at most.
https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies
"""
_AKS_DRAIN_MINUTES = 30
"""The default of `drainTimeoutInMinutes`.
https://learn.microsoft.com/azure/aks/upgrade-aks-cluster
"""
_EKS_DRAIN_SECONDS = 900
"""https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html"""
_DASHES_IN_ZONE = 2
"""A zone is named as `us-central1-a`; a region, with fewer, does not say how many it has."""
_ABANDONED = {
    "cnrm.cloud.google.com/deletion-policy": ("abandon",),
    "serviceoperator.azure.com/reconcile-policy": ("detach-on-delete", "skip"),
}
"""Annotations, and their values, by which the cloud's pool outlives its object."""


def is_abandoned(change: ObjectChange) -> bool:
    annotations = value_at(change.document, ("metadata", "annotations")) or {}
    return any(annotations.get(name) in values for name, values in _ABANDONED.items())


def is_placeholder(change: ObjectChange) -> bool:
    pod = ("spec", "template", "spec", "priorityClassName")
    return bool(value_at(change.document, pod) == PRIORITY_CLASS)


def is_upgraded_by_gke(change: ObjectChange) -> bool:
    return value_at(change.document, ("spec", "management", "autoUpgrade")) is True


def loses_nodes(change: ObjectChange, field: ChangedField) -> bool:
    if isinstance(field.old, list):
        return not field.is_removed and not set(field.old) <= set(field.new)
    return is_lowered(change, field)


def readiness_evicts(change: ObjectChange) -> bool:
    is_dry_run = value_at(change.document, ("spec", "dryRun")) is True
    return value_at(change.document, ("spec", "taint", "effect")) == "NoExecute" and not is_dry_run


def gke_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    settings = value_at(change.document, ("spec", "upgradeSettings")) or {}
    limit, surge = settings.get("maxUnavailable", 0), settings.get("maxSurge", 1)
    return _pool_upgrade(change, limit, surge, _GKE_DRAIN_SECONDS)


def eks_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Replace one node of a managed group after another, with a new one first."""
    return _pool_upgrade(change, 0, 1, _EKS_DRAIN_SECONDS)


def is_spot(change: ObjectChange) -> bool:
    return bool(value_at(change.document, ("spec", "scaleSetPriority")) == "Spot")


def aks_spot_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Replace one node after another: a spot pool gets no spare nodes, and drains none."""
    return _pool_upgrade(change, 1, 0, 0)


def aks_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    settings = value_at(change.document, ("spec", "upgradeSettings")) or {}
    minutes = settings.get("drainTimeoutInMinutes", _AKS_DRAIN_MINUTES)
    surge = settings.get("maxSurge", "10%")
    return _pool_upgrade(change, 0, surge, minutes * SECONDS_PER_MINUTE)


def _pool_upgrade(
    change: ObjectChange, limit: object, surge: object, drain_seconds: int
) -> tuple[Rollout, ...]:
    """Replace the nodes of a pool, with as many spare nodes first as the pool says."""
    return tuple(
        Rollout(
            Mechanism.POOL_UPGRADE,
            pool.name,
            limits=(str(limit),),
            surge=str(surge),
            nodes=_most_nodes(change.document),
            drain_seconds=drain_seconds,
        )
        for pool in pools_of(change.kind, change.document)
    )


def pool_deletion(change: ObjectChange) -> tuple[Rollout, ...]:
    return all_nodes(change, Mechanism.POOL_DELETION)


def recreation(change: ObjectChange) -> tuple[Rollout, ...]:
    """Replace all nodes that there are: somebody deletes the pool and makes it again."""
    most = _most_nodes(change.sides[0])
    return tuple(Rollout(Mechanism.RECREATION, name, nodes=most) for name in change.pools)


def scale_in(change: ObjectChange) -> tuple[Rollout, ...]:
    """Remove the nodes beyond what a pool is to have; their number may not be known."""
    old, new = (_declared_nodes(side) for side in change.sides)
    gone = old - new if old is not None and new is not None and new < old else None
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, nodes=gone)
        for pool in pools_of(change.kind, change.document)
    )


def nodes_of_zones(change: ObjectChange) -> tuple[Rollout, ...]:
    """Remove the nodes in zones that go: how many is known where each zone has a number of its own.

    Where a pool has one for all its zones, any part of its nodes may be there.
    """
    before, after = (value_at(side, ("spec", "nodeLocations")) or () for side in change.sides)
    old, gone = change.sides[0], len({*before}.difference(after))
    count = value_at(old, ("spec", "nodeCount"))
    most = value_at(old, ("spec", "autoscaling", "maxNodeCount")) if count is None else count
    nodes = _most_nodes(old) if most is None else most * gone
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, nodes=nodes, is_part=count is None)
        for pool in pools_of(change.kind, change.document)
    )


def relabelling(change: ObjectChange) -> tuple[Rollout, ...]:
    """Give the nodes of the pool, which stay, other labels or taints."""
    return all_nodes(change, Mechanism.RELABELLING)


def mig_label(change: ObjectChange) -> tuple[Rollout, ...]:
    return all_nodes(change, Mechanism.MIG_LABEL)


def all_nodes(change: ObjectChange, mechanism: Mechanism) -> tuple[Rollout, ...]:
    return tuple(
        Rollout(mechanism, name, nodes=_most_nodes(change.document)) for name in change.pools
    )


def _most_nodes(pool: Document) -> int | None:
    """Return how many nodes a pool of GKE or AKS has at most; None where it does not say so."""
    total: int | None = value_at(pool, ("spec", "autoscaling", "totalMaxNodeCount"))
    most: int | None = value_at(pool, ("spec", "maxCount"))
    found = (total, _in_all_zones(pool, "autoscaling", "maxNodeCount"), most, _declared_nodes(pool))
    return next((each for each in found if each is not None), None)


def _declared_nodes(pool: Document) -> int | None:
    count: int | None = value_at(pool, ("spec", "count"))
    return _in_all_zones(pool, "nodeCount") if count is None else count


def _in_all_zones(pool: Document, *path: str) -> int | None:
    """Return a number of nodes of GKE, which it counts in each zone, over all zones.

    https://cloud.google.com/config-connector/docs/reference/resource-docs/container/containernodepool
    """
    in_zone: int | None = value_at(pool, ("spec", *path))
    zones = len(value_at(pool, ("spec", "nodeLocations")) or ())
    location = str(value_at(pool, ("spec", "location")) or "")
    if not zones and location.count("-") == _DASHES_IN_ZONE:
        zones = 1
    return in_zone * zones if in_zone is not None and zones else None
