"""Whether anybody starts the nodes of a pool whose nodes are queued."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.platform.draft import Draft


def check_provisioning(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of queued nodes that the provider or the cluster lacks."""
    for pool in draft.pools:
        path = (*pool.path, "nodes", "queued")
        if not pool.spec.nodes.queued or not draft.is_read(("provider",)):
            continue
        if draft.provider.provisioning_class is None:
            what = f"{draft.provider.name} starts no nodes for a job that waits"
            yield Problem(path, what, "false")
        elif draft.cluster.queue_engine is not QueueEngine.KUEUE and draft.is_read(("queues",)):
            what = "no queue asks for the nodes of a job, so that none ever starts"
            yield Problem(path, what, "true only with queues of kueue")
