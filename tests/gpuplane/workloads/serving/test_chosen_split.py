"""On how much a replica runs."""

import pytest

from gpuplane.workloads.asked import Asked
from gpuplane.workloads.serving.chosen_split import chosen_split
from gpuplane.workloads.serving.fit import Demand, Room, Split
from gpuplane.workloads.serving.reserve import GIB

ROOM = Room(80 * GIB, 8, 4)


@pytest.mark.parametrize(
    ("gib", "gpus", "nodes", "split"),
    [
        (140, None, None, Split(2, 1)),
        (140, 4, None, Split(4, 1)),
        (140, None, 2, Split(8, 2)),
        (140, 1, None, Split(1, 1)),
        (140, 1, 2, Split(1, 2)),
        (600, None, None, Split(8, 2)),
        (600, 8, None, Split(8, 2)),
        (600, None, 1, Split(8, 1)),
        (9000, None, None, Split(8, 4)),
        (140, 0, None, Split(0, 1)),
        (140, None, 0, Split(8, 0)),
        (140, None, -1, Split(8, -1)),
    ],
)
def test_it_is_the_smallest_that_fits_of_what_is_asked_for(
    gib: int, gpus: int | None, nodes: int | None, split: Split
) -> None:
    asked = Asked(kind="llm", name="chat", gpus=gpus, nodes=nodes)
    assert chosen_split(asked, ROOM, Demand(gib * GIB, None), spans_nodes=True) == split


def test_an_engine_of_one_node_gets_all_of_it_where_a_model_does_not_fit() -> None:
    asked = Asked(kind="llm", name="chat")
    split = chosen_split(asked, ROOM, Demand(600 * GIB, None), spans_nodes=False)
    assert split == Split(8, 1)
