import pytest

from tests.charts_py.fixture_types import FaultsOf

COMPUTE_CLASS = (
    "location: europe-west4\n",
    "location: europe-west4\n  provisioner: compute-class\n",
)
NEWER = ('"1.34"', '"1.35"')


@pytest.mark.parametrize("field", ["min", "warm"])
def test_a_compute_class_keeps_no_nodes(faults_after: FaultsOf, field: str) -> None:
    kept = (
        "purpose: notebooks\n    nodes: {max: 2}",
        f"purpose: notebooks\n    nodes: {{max: 2, {field}: 1}}",
    )
    assert faults_after("gke", COMPUTE_CLASS, NEWER, kept) == (
        f"sample.yaml:22: pools.l4.nodes.{field}: 1 in a ComputeClass, which keeps no idle "
        'nodes; allowed: 0, or gke.provisioner "config-connector"'
    )


def test_a_pool_is_not_the_compute_class_of_the_whole_cluster(faults_after: FaultsOf) -> None:
    assert faults_after("gke", COMPUTE_CLASS, NEWER, ("  l4:\n", "  default:\n")) == (
        'sample.yaml:19: pools.default: "default" is the ComputeClass of all pods that select '
        "none; allowed: another name"
    )
