"""Nodes that run, as somebody counted or exported them."""

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.running_nodes import NodeCountError, counted_nodes, exported_nodes
from tests.gpuplane.messages import message_of


def _node(name: str, pool: str | None) -> Document:
    labels = {"gpuplane.io/pool": pool} if pool else {}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


def test_nodes_of_an_export_count_by_the_label_of_their_pool() -> None:
    nodes = [_node("a", "h100"), _node("b", "h100"), _node("c", None), _node("d", "l4")]
    exported = [{"apiVersion": "v1", "kind": "List", "items": nodes}]
    assert exported_nodes("lab", exported) == {("lab", "h100"): 2, ("lab", "l4"): 1}


def test_the_one_cluster_need_not_be_named() -> None:
    stated = counted_nodes(["h100=9", "serving/l4=0"], ("lab",))
    assert stated == {("lab", "h100"): 9, ("serving", "l4"): 0}


@pytest.mark.parametrize(
    ("stated", "names", "message"),
    [
        ("h100", ("lab",), '"h100" is not a number of nodes; allowed: [CLUSTER/]POOL=COUNT'),
        ("=4", ("lab",), '"=4" is not a number of nodes; allowed: [CLUSTER/]POOL=COUNT'),
        ("h100=-1", ("lab",), '"h100=-1" is not a number of nodes; allowed: [CLUSTER/]POOL=COUNT'),
        ("h100=4", (), '"h100=4" needs a cluster, since all are planned; allowed: CLUSTER/h100=4'),
        (
            "h100=4",
            ("lab", "serving"),
            '"h100=4" needs a cluster, since 2 are planned; allowed: CLUSTER/h100=4',
        ),
    ],
)
def test_another_text_is_refused(stated: str, names: tuple[str, ...], message: str) -> None:
    assert message_of(NodeCountError, counted_nodes, [stated], names) == message
