"""Nodes that no label gives to a pool make one with those like them."""

import pytest

from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.nodes import FoundNode
from gpuplane.adoption.pools import pools_of_nodes
from gpus.catalog import load_catalog
from tests.gpuplane.adoption.conftest import Reading
from tests.rows import rows_beside

each_row = rows_beside(__file__, "pools.yaml")

PRODUCT = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
CAPACITY = {"cpu": "96", "nvidia.com/gpu": "8"}


def _node(name: str, labels: dict[str, str], capacity: dict[str, str]) -> FoundNode:
    return FoundNode(name, PRODUCT | labels, (), CAPACITY | capacity, "", None)


@pytest.mark.parametrize(
    ("labels", "capacity", "pools"),
    [
        ({}, {}, {"h100": ["a", "b"]}),
        ({"example.com/rack": "7"}, {}, {"h100": ["a", "b"]}),
        ({}, {"memory": "1Ti"}, {"h100": ["a", "b"]}),
        ({}, {"cpu": "192"}, {"h100": ["a"], "h100-2": ["b"]}),
        ({"nvidia.com/gpu.product": "Tesla-T4"}, {}, {"h100": ["a"], "t4": ["b"]}),
        *(
            ({label: "8"}, {}, {"h100": ["a"], "h100-2": ["b"]})
            for label in (
                "nvidia.com/mig.config",
                "nvidia.com/device-plugin.config",
                "nvidia.com/gpu.count",
                "amd.com/gpu.product-name",
                "gpu.intel.com/product",
                "node.kubernetes.io/instance-type",
            )
        ),
    ],
)
def test_nodes_are_alike_by_their_gpus_and_cpus(
    labels: dict[str, str], capacity: dict[str, str], pools: dict[str, list[str]]
) -> None:
    nodes = (_node("a", {}, {}), _node("b", labels, capacity))
    groups = pools_of_nodes(nodes, {}, load_catalog())
    assert {group.name: [node.name for node in group.nodes] for group in groups} == pools


@each_row("pools")
def test_a_pool_is_written_with_what_is_to_be_filled_in(
    objects: str, pool: str, inventory_of: Reading
) -> None:
    text = cluster_file(inventory_of(objects))
    found = text.split("\npools:\n")[1].partition("\n\n")[0]
    assert "\n".join(line.removeprefix("  ") for line in found.splitlines()) == pool.rstrip()
