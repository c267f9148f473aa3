"""What is said below the tables of queues."""

from collections.abc import Iterable, Iterator

from gpuplane.reports.queues.queues_request import ClusterQueues


def queues_notes(clusters: Iterable[ClusterQueues]) -> Iterator[str]:
    """Yield what the counts mean, and then what is particular to a cluster."""
    yield (
        "Counts are allocations: whole GPUs, MIG instances, or shares of either. Own is what a "
        "namespace gets whatever others do; Borrows and Lends are the most there can be at once, "
        "while somebody leaves it unused."
    )
    for each in clusters:
        if each.queues is None:
            yield f"{each.cluster}: no queues, so that a pod beyond the quota is refused."
        if idle := [line for line in each.pools if line.unassigned]:
            parts = ", ".join(f"{line.unassigned} {line.resource} of {line.pool}" for line in idle)
            yield f"{each.cluster}: in nobody's quota, and so used by nobody: {parts}."
