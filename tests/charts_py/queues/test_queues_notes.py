"""What is said below the tables of queues."""

from charts_py.queues.pool_ledger import PoolLine
from charts_py.queues.queues_notes import queues_notes
from charts_py.queues.queues_request import ClusterQueues
from charts_py.spec.queues import Queues


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
