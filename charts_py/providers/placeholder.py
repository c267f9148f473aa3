"""Pods that hold nodes for others, where a cluster autoscaler makes the nodes of a pool.

Each holds all GPUs of a node at the lowest priority. A pod that needs them preempts it, and the
autoscaler starts a node for the placeholder that its Deployment makes anew.
https://github.com/kubernetes/autoscaler/blob/cluster-autoscaler-1.36.1/cluster-autoscaler/FAQ.md
"""

from collections.abc import Iterable, Mapping

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import Preemption
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.policy_settings import default_priority
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpus.platform_names import POOL
from gpus.pool_facts import AdvertisedResource

PREFIX = "warm-"
"""Begins the names of what keeps nodes of a pool warm."""
PRIORITY_CLASS = "gpuplane-placeholder"
_PRIORITY = -10
"""For pods below it an autoscaler starts no node: the default of its
`--expendable-pods-priority-cutoff`, which GKE and AKS have as well."""
_IMAGE = "registry.k8s.io/pause:3.10.1"
_MOST_CONTAINERS = 64
_IGNORED_HEALTH = {"argocd.argoproj.io/ignore-healthcheck": "true"}
"""A placeholder that waits for a node must hold up no sync."""


def placeholders(pool: PlatformPool, platform: Platform) -> int:
    """Return how many nodes placeholders hold; 0 where warm nodes are a part of the minimum.

    Only the scheduler of Kubernetes preempts them, and only for pods whose class allows it: others
    would wait for the last nodes of the pool, and so would jobs that a queue has let start. By
    topology, Kueue takes the GPUs that any other pod holds for used.
    """
    is_taken = (
        platform.cluster.queue_engine in {None, QueueEngine.KUEUE}
        and pool.spec.topology is None
        and len(_containers(pool)) <= _MOST_CONTAINERS
        and all(_may_preempt(platform, each) for each in platform.namespaces if _uses(each, pool))
    )
    return pool.spec.nodes.warm if is_taken else 0


def _uses(namespace: TeamNamespace, pool: PlatformPool) -> bool:
    return pool.name in namespace.spec.quota.pools


def _may_preempt(platform: Platform, namespace: TeamNamespace) -> bool:
    """Return whether its pods preempt others: with queues all of them, else those of no class."""
    is_queued = platform.cluster.queue_engine is not None
    classes = namespace.team.priorities if is_queued else [default_priority(platform, namespace)]
    ladder = platform.cluster.priorities
    return all(ladder[name].preemption is Preemption.LOWER for name in classes)


def least_nodes(pool: PlatformPool, platform: Platform) -> int:
    """Return the minimum of the cluster autoscaler."""
    return pool.spec.nodes.min if placeholders(pool, platform) else pool.spec.nodes.kept


def placeholder_class() -> Document:
    body = {
        "value": _PRIORITY,
        "globalDefault": False,
        "preemptionPolicy": "Never",
        "description": "Placeholders, which hold nodes until a pod needs them.",
    }
    return object_of("scheduling.k8s.io/v1", "PriorityClass", ObjectMeta(PRIORITY_CLASS), body)


def placeholder_deployment(pool: PlatformPool, platform: Platform) -> Document:
    labels = {POOL: pool.name}
    metadata = ObjectMeta(f"{PREFIX}{pool.name}", NODE_POOLS_NAMESPACE, annotations=_IGNORED_HEALTH)
    shares = [
        placeholder_container(f"placeholder-{number}", held, "10m", platform.mirrors)
        for number, held in enumerate(_containers(pool))
    ]
    pod = {
        **placed_on(pool),
        **pull_secrets(platform.cluster.pull_secret_names),
        "priorityClassName": PRIORITY_CLASS,
        "terminationGracePeriodSeconds": 0,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "containers": shares,
    }
    spec = {
        "replicas": placeholders(pool, platform),
        "revisionHistoryLimit": 0,
        # Old ones make room for new ones, where there is no further node.
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return object_of("apps/v1", "Deployment", metadata, {"spec": spec})


def _containers(pool: PlatformPool) -> list[Mapping[str, str]]:
    """Return the GPUs of each container: one share each, of which no container may have more."""
    whole = whole_node(each for each in pool.facts.resources if not each.shared)
    shares: list[Mapping[str, str]] = [
        {each.name: "1"}
        for each in pool.facts.resources
        if each.shared
        for _ in range(each.per_node)
    ]
    return [whole, *shares] if whole else shares


def whole_node(resources: Iterable[AdvertisedResource]) -> dict[str, str]:
    return {resource.name: str(resource.per_node) for resource in resources}


def placed_on(pool: PlatformPool) -> dict[str, object]:
    return {"nodeSelector": {POOL: pool.name}, "tolerations": tolerations_of(pool.facts.taints)}


def placeholder_container(
    name: str, held: Mapping[str, str], cpu: str, mirrors: RegistryMirrors
) -> Document:
    return {
        "name": name,
        "image": mirrors.of(_IMAGE),
        # Extended resources are never overcommitted: the API wants limit and request alike.
        "resources": {"requests": {"cpu": cpu, **held}, "limits": dict(held)},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
