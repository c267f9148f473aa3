"""How NVIDIA GPUs are cut and shared, as ConfigMaps."""

import pytest

from charts_py.components.gpu_sharing.definition import GPU_SHARING
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.managed import managed

DEVICE_PLUGIN = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": managed("device-plugin-config", "gpu-operator"),
    "data": {
        "default": """\
version: v1
flags:
  migStrategy: single
""",
        "mps-8": """\
version: v1
flags:
  migStrategy: single
sharing:
  mps:
    renameByDefault: false
    failRequestsGreaterThanOne: true
    resources:
    - name: nvidia.com/gpu
      replicas: 8
""",
    },
}
MIG_PARTED = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": managed("mig-parted-config", "gpu-operator"),
    "data": {
        "config.yaml": """\
version: v1
mig-configs:
  all-disabled:
  - devices: all
    mig-enabled: false
  mig-1g.18gb-x7:
  - devices: all
    mig-enabled: true
    mig-devices:
      1g.18gb: 7
"""
    },
}


def test_on_aks_there_are_files_for_the_device_plugin_and_no_layouts(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = GPU_SHARING.plan(example("mixed"))
    assert documents_of_component(component) == (DEVICE_PLUGIN,)


def test_the_mig_manager_gets_its_layouts_as_one_file(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = GPU_SHARING.plan(example("onprem"))
    assert documents_of_component(component)[1] == MIG_PARTED


def test_gke_shares_by_itself(example: Load) -> None:
    assert list(GPU_SHARING.plan(example("inference"))) == []


def test_a_node_whose_layout_failed_is_heard_of() -> None:
    (layout_failed,) = GPU_SHARING.rules.alerts()
    assert (layout_failed.expression, layout_failed.lasting) == (
        'max by (node) (kube_node_labels{label_nvidia_com_mig_config_state="failed"}) == 1',
        "5m",
    )


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("training", True), ("onprem", True), ("mixed", False)]
)
def test_it_is_there_where_the_mig_manager_partitions(
    example: Load, cluster: str, is_alerted: bool
) -> None:
    groups = GPU_SHARING.rules.groups(example(cluster))
    assert [group.alerts for group in groups] == [GPU_SHARING.rules.alerts()] * is_alerted
