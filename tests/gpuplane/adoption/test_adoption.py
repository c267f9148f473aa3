"""The cluster files of four exports, as a whole."""

from pathlib import Path

import pytest

from gpuplane.adoption.adoption import check_file, cluster_file
from gpuplane.adoption.found_object import AdoptionError
from tests.charts_py.fixture_types import Sample
from tests.conftest import CLUSTERS
from tests.gpuplane.adoption.conftest import Reading
from tests.gpuplane.messages import message_of

EXPECTED = Path(__file__).parent / "expected"


@pytest.mark.parametrize("name", ["eks", "gke", "aks", "onprem"])
def test_each_value_is_told_with_who_states_it(name: str, exported: Reading) -> None:
    checked = check_file(cluster_file(exported(name)), name, CLUSTERS / "fleet.yaml")
    assert checked.text == (EXPECTED / f"{name}.yaml").read_text(encoding="utf-8")


def test_what_has_no_fault_is_a_platform(exported: Reading) -> None:
    checked = check_file(cluster_file(exported("aks")), "aks", CLUSTERS / "fleet.yaml")
    assert (checked.faults, checked.platform is not None) == ((), True)


def test_a_cluster_without_gpus_is_told_of(inventory_of: Reading) -> None:
    found = inventory_of("{apiVersion: v1, kind: Node, metadata: {name: a}}")
    assert message_of(AdoptionError, cluster_file, found) == (
        f"{found.source}: no node and no node pool with GPUs among 1 Node; GPUs show by a resource "
        "such as nvidia.com/gpu or a label such as nvidia.com/gpu.product"
    )


def test_an_export_without_nodes_says_what_to_export(inventory_of: Reading) -> None:
    found = inventory_of("{apiVersion: v1, kind: Namespace, metadata: {name: a}}")
    assert message_of(AdoptionError, cluster_file, found) == (
        f"{found.source}: no node and no node pool with GPUs among 1 Namespace; "
        "kubectl get nodes -o yaml shows labels and capacity of nodes with GPUs"
    )


def test_two_clusters_are_no_cluster(inventory_of: Reading) -> None:
    node = "{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, spec: {{providerID: {}://x}}}}"
    found = inventory_of("\n---\n".join([node.format("a", "aws"), node.format("b", "gce")]))
    assert message_of(AdoptionError, cluster_file, found) == (
        f"{found.source}: objects of two providers, eks (Node a), gke (Node b); "
        "read one cluster at a time"
    )


def test_a_file_is_read_beside_the_clusters_that_the_fleets_file_names(
    tmp_path: Path, sample: Sample
) -> None:
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text(
        "multiKueue: {manager: sample, workers: [multikueue-worker], namespaces: [a]}\n",
        encoding="utf-8",
    )
    for name in ("sample", "multikueue-worker"):
        (tmp_path / f"{name}.yaml").write_text(sample("eks"), encoding="utf-8")
    checked = check_file(sample("eks"), "lab", fleet)
    assert (checked.faults, checked.platform is not None) == ((), True)
