"""Which GPU model nodes have, and how many of it."""

from gpuplane.adoption.nodes import gpus_per_node, known_model
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
    model = load_catalog().model("H100-SXM")
    assert gpus_per_node(model, labels, capacity, layout, replicas) == gpus
