"""How clouds replace the nodes of the pools that they manage."""

from typing import Any

from charts_py.plan.document_values import value_at
from charts_py.plan.object_change import ObjectChange
from charts_py.plan.pools import pools_of
from charts_py.plan.rollout import Mechanism, Rollout

GKE_DRAIN_SECONDS = 3600
"""How long a surge upgrade waits for pods to go, at most.
https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies
"""
AKS_DRAIN_MINUTES = 30
"""Unless `drainTimeoutInMinutes` says otherwise.
https://learn.microsoft.com/azure/aks/upgrade-aks-cluster
"""


def gke_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how GKE recreates the nodes of a pool: with spare nodes first, as many as it says."""
    settings = value_at(change.document, "spec", "upgradeSettings") or {}
    return tuple(
        Rollout(
            Mechanism.POOL_UPGRADE,
            pool.name,
            limits=(str(settings.get("maxUnavailable", 0)),),
            surge=str(settings.get("maxSurge", 1)),
            nodes=most_nodes(change),
            drain_seconds=GKE_DRAIN_SECONDS,
        )
        for pool in pools_of(change.document)
    )


def aks_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how AKS replaces the nodes of a pool: a spare node first."""
    settings = value_at(change.document, "spec", "upgradeSettings") or {}
    minutes = settings.get("drainTimeoutInMinutes", AKS_DRAIN_MINUTES)
    return tuple(
        Rollout(
            Mechanism.POOL_UPGRADE,
            pool.name,
            limits=("0",),
            surge=str(settings.get("maxSurge", "10%")),
            nodes=most_nodes(change),
            drain_seconds=minutes * 60,
        )
        for pool in pools_of(change.document)
    )


def deletion(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that all nodes go with the pool."""
    return _all_nodes(change, Mechanism.POOL_DELETION)


def recreation(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that all nodes go where somebody makes the pool again."""
    return _all_nodes(change, Mechanism.RECREATION)


def scale_in(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how many nodes go where the most that a pool may have is lowered."""
    old, new = most_nodes_of(change.before), most_nodes_of(change.after)
    gone = old - new if old is not None and new is not None and new < old else None
    return tuple(
        Rollout(Mechanism.SCALE_IN, pool.name, nodes=gone) for pool in pools_of(change.document)
    )


def relabelling(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that the nodes of the pool stay, and have other labels or taints."""
    return _all_nodes(change, Mechanism.RELABELLING)


def mig_label(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that MIG manager lays out the GPUs of all nodes of the pool at once."""
    return _all_nodes(change, Mechanism.MIG_LABEL)


def plugin_restart(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that the device plugin restarts on all nodes of the pool at once."""
    return _all_nodes(change, Mechanism.PLUGIN_RESTART)


def _all_nodes(change: ObjectChange, mechanism: Mechanism) -> tuple[Rollout, ...]:
    names = dict.fromkeys(pool.name for side in change.sides for pool in pools_of(side))
    return tuple(Rollout(mechanism, name, nodes=most_nodes(change)) for name in names)


def most_nodes(change: ObjectChange) -> int | None:
    """Return how many nodes a pool of GKE or AKS has at most, as far as it says so."""
    return most_nodes_of(change.document)


def most_nodes_of(pool: dict[str, Any] | None) -> int | None:
    """Return how many nodes a pool of GKE or AKS has at most, as far as it says so."""
    places = (
        ("spec", "autoscaling", "totalMaxNodeCount"),
        ("spec", "autoscaling", "maxNodeCount"),
        ("spec", "nodeCount"),
        ("spec", "maxCount"),
        ("spec", "count"),
    )
    return next((found for place in places if (found := value_at(pool, *place)) is not None), None)
