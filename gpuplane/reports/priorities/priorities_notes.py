"""What is said below the tables of priorities."""

from collections.abc import Iterable, Iterator

from gpuplane.reports.priorities.priorities_request import ClusterPriorities


def priorities_notes(clusters: Iterable[ClusterPriorities]) -> Iterator[str]:
    """Yield what holds for every pool, and then what is particular to a cluster."""
    yield (
        "On every pool, pods of Kubernetes and of the platform evict those of teams that are below "
        "them. Pods without a class have the value 0, unless the cluster has a default class."
    )
    for cluster in clusters:
        name = cluster.ladder.cluster
        if cluster.without_preemption:
            pools = ", ".join(cluster.without_preemption)
            yield f"{name}: DRA gives out the GPUs of {pools}, for which nobody is evicted."
        if cluster.extended:
            yield f"{name}: extensions may change classes or add some, which are not read here."
