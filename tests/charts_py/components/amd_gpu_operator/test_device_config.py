"""What AMD's GPU operator runs on the nodes."""

from charts_py.components.amd_gpu_operator.definition import AMD_GPU_OPERATOR
from charts_py.components.amd_gpu_operator.device_config import AMD_DEVICE_CONFIG
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from tests.charts_py.managed import tolerates

TOLERATIONS = [tolerates("amd.com/gpu", "present")]
SERVICE_MONITOR = {
    "enable": True,
    "interval": "15s",
    "honorLabels": False,
    "relabelings": [
        {
            "action": "replace",
            "sourceLabels": ["__meta_kubernetes_pod_node_name"],
            "targetLabel": "node",
        }
    ],
}


def test_device_plugin_labeller_and_exporter_run_on_every_amd_node(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = AMD_DEVICE_CONFIG.plan(example("onprem"))
    (document,) = documents_of_component(component)
    assert document["metadata"]["namespace"] == "amd-gpu-operator"
    assert document["spec"] == {
        "selector": {"feature.node.kubernetes.io/amd-gpu": "true"},
        "driver": {"enable": False},
        "devicePlugin": {
            "enableDevicePlugin": True,
            "devicePluginImage": "docker.io/rocm/k8s-device-plugin:1.31.0.9",
            "devicePluginTolerations": TOLERATIONS,
            "enableNodeLabeller": True,
            "nodeLabellerImage": "docker.io/rocm/k8s-device-plugin:labeller-1.31.0.9",
            "nodeLabellerTolerations": TOLERATIONS,
        },
        "metricsExporter": {
            "enable": True,
            "image": "docker.io/rocm/device-metrics-exporter:v1.5.1",
            "tolerations": TOLERATIONS,
            "prometheus": {"serviceMonitor": SERVICE_MONITOR},
        },
    }


def test_monitors_have_the_labels_that_prometheus_selects_by(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    labels = "addons: {monitoring: {labels: {release: stack}}}\npools:\n"
    (component,) = AMD_DEVICE_CONFIG.plan(platform_after("amd", ("pools:\n", labels)))
    (document,) = documents_of_component(component)
    assert document["spec"]["metricsExporter"]["prometheus"]["serviceMonitor"] == (
        SERVICE_MONITOR | {"labels": {"release": "stack"}}
    )


def test_init_containers_are_from_the_mirror_as_well(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    mirror = "registries: {docker.io: {mirror: registry.example.com/hub}}\npools:\n"
    (component,) = AMD_DEVICE_CONFIG.plan(platform_after("amd", ("pools:\n", mirror)))
    (document,) = documents_of_component(component)
    assert document["spec"]["commonConfig"] == {
        "initContainerImage": "registry.example.com/hub/library/busybox:1.36"
    }


def test_it_stands_beside_the_operator(example: Load) -> None:
    (operator,) = AMD_GPU_OPERATOR.plan(example("onprem"))
    (config,) = AMD_DEVICE_CONFIG.plan(example("onprem"))
    assert operator.namespace == config.namespace


def test_without_amd_gpus_there_is_none(example: Load) -> None:
    assert list(AMD_DEVICE_CONFIG.plan(example("training"))) == []


def test_they_stand_beside_the_exporter_and_read_what_kube_state_metrics_serves(
    platform_after: PlatformWith,
) -> None:
    (group,) = AMD_DEVICE_CONFIG.rules.groups(platform_after("amd"))
    assert AMD_DEVICE_CONFIG.namespace == group.namespace
    assert group.reads_other_namespaces
