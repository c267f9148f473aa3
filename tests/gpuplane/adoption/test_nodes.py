"""Which GPU model nodes have, and how many of it."""

import pytest

from gpuplane.adoption.nodes import gpus_per_node, has_gpus, known_model
from gpus.catalog import load_catalog
from tests.rows import rows_beside

each_row = rows_beside(__file__, "nodes.yaml")


@each_row("models")
def test_a_model_is_known_by(
    labels: dict[str, str], instance_type: str | None, name: str | None
) -> None:
    model = known_model(labels, (instance_type,), load_catalog())
    assert (None if model is None else model.name) == name


@each_row("counts")
def test_gpus_are_counted_by(
    labels: dict[str, str],
    capacity: dict[str, str],
    layout: dict[str, int],
    replicas: int,
    gpus: int | None,
) -> None:
    assert gpus_per_node("nvidia.com/gpu", labels, capacity, layout, replicas) == gpus


@pytest.mark.parametrize(
    ("labels", "capacity", "found"),
    [
        ({}, {"cpu": "8"}, False),
        ({}, {"nvidia.com/gpu": "1"}, True),
        ({}, {"amd.com/gpu": "8", "cpu": "8"}, True),
        ({}, {"nvidia.com/gpu": "0"}, False),
        ({}, {"nvidia.com/gpu": ""}, False),
        ({}, {"example.com/gpu": "1"}, False),
        ({"gpu.intel.com/product": "Max_1550"}, {}, True),
        ({"nvidia.com/gpu.product": "L4"}, {"nvidia.com/gpu": "0"}, True),
    ],
)
def test_a_node_has_gpus_that_it_counts_or_that_its_labels_name(
    labels: dict[str, str], capacity: dict[str, str], *, found: bool
) -> None:
    assert has_gpus(labels, capacity, load_catalog()) is found
