"""AMD's GPU operator."""

import pytest

from charts_py.components.amd_gpu_operator import AMD_DEVICE_CONFIG, AMD_GPU_OPERATOR
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.objects.document import EmittedKind
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from tests.charts_py.managed import tolerates
from upstream.lock import committed_lock, locked_chart

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
WITHOUT_DISCOVERY = {
    "node-feature-discovery": {"enabled": False},
    "installdefaultNFDRule": True,
    "crds": {"defaultCR": {"install": False, "upgrade": False}},
    "upgradeCRD": False,
    "kmm": {"enabled": False, "watch": False},
    "remediation": {"enabled": False, "installCRDs": False},
    "draDriver": {"deviceClass": {"create": False}},
}
DAEMON_SET = EmittedKind("apps", "DaemonSet", namespaced=True)


def test_beside_nvidias_operator_it_brings_no_second_discovery(example: Load) -> None:
    (component,) = AMD_GPU_OPERATOR.plan(example("onprem"))
    assert component.helm is not None
    assert component.helm.values == WITHOUT_DISCOVERY
    assert DAEMON_SET not in component.helm.kinds


def test_alone_it_brings_the_discovery_that_labels_and_taints(platform_after: PlatformWith) -> None:
    (component,) = AMD_GPU_OPERATOR.plan(platform_after("amd"))
    assert component.helm is not None
    toleration = tolerates("amd.com/gpu", "present")
    assert component.helm.values == {
        **WITHOUT_DISCOVERY,
        "node-feature-discovery": {
            "enabled": True,
            "worker": {"tolerations": [toleration]},
            "master": {"enableTaints": True},
        },
    }
    assert DAEMON_SET in component.helm.kinds


def test_it_is_the_pinned_chart(example: Load) -> None:
    (component,) = AMD_GPU_OPERATOR.plan(example("onprem"))
    assert component.helm is not None
    assert (component.name, component.wave, component.namespace) == (
        "amd-gpu-operator",
        Wave.NODES,
        "amd-gpu-operator",
    )
    assert (component.helm.repository, component.helm.chart, component.helm.version) == (
        "https://rocm.github.io/gpu-operator",
        "gpu-operator-charts",
        "v1.5.1",
    )


def test_its_rules_come_after_their_kind_which_nvidias_operator_brings(
    example: Load, rendered: DocumentsOf
) -> None:
    platform = example("onprem")
    (amd,), (nvidia,) = AMD_GPU_OPERATOR.plan(platform), GPU_OPERATOR.plan(platform)
    assert "NodeFeatureRule" in {document["kind"] for document in rendered(amd)}
    brought = {document["metadata"]["name"] for document in rendered(nvidia)}
    assert "nodefeaturerules.nfd.k8s-sigs.io" in brought
    assert nvidia.wave < amd.wave


def test_chart_and_schema_are_of_one_version() -> None:
    pinned = [file for file in committed_lock() if file.repository == "ROCm/gpu-operator"]
    assert {file.version for file in pinned} == {locked_chart("gpu-operator-charts").chart_version}


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed"])
def test_without_amd_gpus_there_is_none(cluster: str, example: Load) -> None:
    definitions = (AMD_GPU_OPERATOR, AMD_DEVICE_CONFIG)
    assert [each for definition in definitions for each in definition.plan(example(cluster))] == []


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


def test_they_stand_beside_the_exporter_and_read_what_kube_state_metrics_serves(
    platform_after: PlatformWith,
) -> None:
    (group,) = AMD_DEVICE_CONFIG.rules.groups(platform_after("amd"))
    assert AMD_DEVICE_CONFIG.namespace == group.namespace
    assert group.reads_other_namespaces
