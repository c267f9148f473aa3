import pytest

from charts_py.components.intel_gpu_device_plugin import INTEL_GPU_DEVICE_PLUGIN
from charts_py.objects.document import Document
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.managed import tolerates

SAMPLE = """
provider: onprem
region: here
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  flex: &machine
    gpu: Flex-170
    gpus: 4
    cpu: 128
    memory: 1Ti
    purpose: inference
    nodes: {min: 1, max: 1}
  max1550: {<<: *machine, gpu: Max-1550}
  l40s: {<<: *machine, gpu: L40S}
"""


@pytest.fixture
def daemon_set(platform_of: Load, documents_of_component: DocumentsOf) -> Document:
    (component,) = INTEL_GPU_DEVICE_PLUGIN.plan(platform_of(SAMPLE))
    (document,) = documents_of_component(component)
    return document


def test_it_runs_on_the_nodes_of_the_pools_with_intel_gpus(daemon_set: Document) -> None:
    pod = daemon_set["spec"]["template"]["spec"]
    expression = {"key": "gpuplane.io/pool", "operator": "In", "values": ["flex", "max1550"]}
    assert pod["affinity"] == {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [expression]}]
            }
        }
    }
    assert pod["tolerations"] == [tolerates("gpu.intel.com/i915", "present")]


def test_it_mounts_what_it_reads_and_writes_of_the_node(daemon_set: Document) -> None:
    pod = daemon_set["spec"]["template"]["spec"]
    mounts = pod["containers"][0]["volumeMounts"]
    assert {mount["mountPath"]: mount["readOnly"] for mount in mounts} == {
        "/dev/dri": True,
        "/sys/class/drm": True,
        "/var/lib/kubelet/device-plugins": False,
        "/var/run/cdi": False,
    }
    folders = {volume["name"]: volume["hostPath"]["path"] for volume in pod["volumes"]}
    assert folders == {mount["name"]: mount["mountPath"] for mount in mounts}
