from collections import Counter

import pytest

from gpuplane.reports.recommendation.footprint import nodes_of


@pytest.mark.parametrize(
    ("pods", "nodes"),
    [
        ({1: 200}, 25),
        ({8: 21}, 21),
        ({8: 21, 1: 200}, 46),
        ({5: 2, 3: 2}, 2),
        ({5: 3, 3: 1}, 3),
        ({4: 3, 2: 2}, 2),
        ({}, 0),
    ],
)
def test_pods_fill_nodes_the_largest_first(pods: dict[int, int], nodes: int) -> None:
    assert nodes_of(Counter(pods), gpus_per_node=8) == nodes
