"""The cluster files of four exports, as a whole."""

from pathlib import Path

import pytest

from gpuplane.adoption.adoption import check_file, cluster_file, fleet_catalog
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


OWN = """
apiVersion: v1
kind: Node
metadata:
  name: a
  labels: {nvidia.com/gpu.product: NVIDIA-RTX-A6000-SHARED, nvidia.com/gpu.count: "2"}
spec: {taints: [{key: dedicated, value: llm, effect: PreferNoSchedule}]}
status:
  capacity: {cpu: "64", memory: 263856000Ki, nvidia.com/gpu: "8", nvidia.com/rdma-vf: "16"}
"""


def _pool(text: str) -> list[str]:
    lines = [line.strip() for line in text[text.index("pools:") :].splitlines()]
    return [line.partition(" #")[0] for line in lines if line and not line.startswith("#")]


def test_what_a_node_has_is_stated_though_its_gpu_is_not_listed(inventory_of: Reading) -> None:
    text = cluster_file(inventory_of(OWN))
    assert _pool(text) == [
        "pools:",
        "gpu:",
        "gpus: 2",
        "cpu: 64",
        "memory: 251Gi",
        "nodes: {min: 1, max: 1}",
        "rdmaResource: nvidia.com/rdma-vf",
        "interconnect: roce",
        "rdmaCount: 16",
        "taint: none",
        "taints: [{key: dedicated, value: llm, effect: PreferNoSchedule}]",
    ]
    unlisted = "the nodes name NVIDIA-RTX-A6000, which `gpuplane hardware` does not list"
    assert f"# gpu: {unlisted}; describe it under hardware.models, docs/hardware.md" in text


def test_a_model_that_the_fleet_describes_is_known(inventory_of: Reading, tmp_path: Path) -> None:
    fleet = tmp_path / "fleet.yaml"
    model = "{vendor: nvidia, architecture: ampere, product: NVIDIA-RTX-A6000"
    row = f"{model}, memory: 48Gi, pciDevice: '2230'}}"
    fleet.write_text(f"hardware: {{models: {{RTX-A6000: {row}}}}}\n", encoding="utf-8")
    text = cluster_file(inventory_of(OWN), fleet_catalog(fleet))
    assert _pool(text)[1:4] == ["rtx-a6000:", "gpu: RTX-A6000", "gpus: 2"]
