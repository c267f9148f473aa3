"""What is said below the tables of queues."""

from charts_py.cluster_file.queues import Queues
from gpuplane.reports.queues.pool_ledger import PoolLine
from gpuplane.reports.queues.queues_notes import queues_notes
from gpuplane.reports.queues.queues_request import ClusterQueues


def _line(promised: int) -> PoolLine:
    return PoolLine("h100", "nvidia.com/gpu", nodes=2, per_node=8, promised=promised)


def test_what_nobody_has_is_named_with_its_pool() -> None:
    clusters = (
        ClusterQueues("lab", None, (_line(16),), ()),
        ClusterQueues("training", Queues(), (_line(12),), ()),
    )
    _, *notes = queues_notes(clusters)
    assert notes == [
        "lab: no queues, so that a pod beyond the quota is refused.",
        "training: in nobody's quota, and so used by nobody: 4 nvidia.com/gpu of h100.",
    ]
