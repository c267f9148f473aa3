import pytest

from tests.gpuplane.conftest import Run, fields

pytestmark = pytest.mark.usefixtures("lab")


def test_a_report_has_the_pools_and_namespaces_of_every_cluster(in_repository: Run) -> None:
    report = in_repository.report("queues")
    (cluster,) = report.pop("items")
    assert report == {"kind": "QueueList"}
    pools, namespaces = cluster.pop("pools"), cluster.pop("namespaces")
    assert cluster == {"cluster": "lab", "engine": "kueue", "borrowing": "cluster"}
    assert pools[-1] == fields("""
        pool: h100-spot, resource: nvidia.com/gpu, nodes: 2, perNode: 8, capacity: 16,
        promised: 12, unassigned: 4
    """)
    assert namespaces[-1] == fields("""
        pool: h100-spot, resource: nvidia.com/gpu, team: research, namespace: research-training,
        own: 8, borrowed: 4, lent: 8, reach: 12
    """)


def test_a_comment_has_a_row_for_each_resource_and_namespace(in_repository: Run) -> None:
    lines = in_repository.printed("queues", "lab", "-o", "markdown").splitlines()
    assert lines[0] == "### Queues"
    assert "| h100 | nvidia.com/gpu | 4 | 8 | 32 | 24 | 8 |" in lines
    assert "| h100 | nvidia.com/gpu | research-training | 16 | 8 | 0 | 24 |" in lines
