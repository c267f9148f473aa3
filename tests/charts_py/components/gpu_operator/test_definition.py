"""NVIDIA's GPU operator, and what its pinned chart renders with our values."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from charts_py.components.component import Component
from charts_py.components.gpu_operator.definition import GPU_OPERATOR, GPU_OPERATOR_QUOTA
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.provider import Provider
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.managed import managed
from upstream.lock import committed_lock, locked_chart

CLUSTERS = ("training", "inference", "mixed", "onprem")
NO_GPU_BY_VARIABLE = {
    "name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED",
    "value": "false",
}
CLUSTER_POLICY_CRD = "crds/gpu-operator-26.7.0/nvidia.com_clusterpolicies.yaml"


def _operator(platform: Platform) -> Component:
    (component,) = GPU_OPERATOR.plan(platform)
    return component


def _cluster_policy(documents: tuple[Document, ...]) -> dict[str, Any]:
    (policy,) = (document for document in documents if document["kind"] == "ClusterPolicy")
    spec: dict[str, Any] = policy["spec"]
    return spec


def test_it_is_the_pinned_chart(example: Load) -> None:
    component = _operator(example("training"))
    assert component.helm is not None
    assert (component.name, component.wave, component.namespace) == (
        "gpu-operator",
        Wave.OPERATORS,
        "gpu-operator",
    )
    assert (component.helm.repository, component.helm.chart, component.helm.version) == (
        "https://helm.ngc.nvidia.com/nvidia",
        "gpu-operator",
        "v26.7.0",
    )


def test_chart_and_schemas_are_of_one_version() -> None:
    pinned = [file for file in committed_lock() if file.repository == "NVIDIA/gpu-operator"]
    assert {file.version for file in pinned} == {locked_chart("gpu-operator").chart_version}


DECISIONS: Mapping[str, Mapping[str, Any]] = {
    "training": {
        "driver.enabled": False,
        "toolkit.enabled": False,
        "operator.runtimeClass": "nvidia",
        "hostPaths.driverInstallDir": "/run/nvidia/driver",
        "devicePlugin.enabled": True,
        "devicePlugin.config.name": "device-plugin-config",
        "devicePlugin.config.default": "default",
        "mig.strategy": "mixed",
        "migManager.enabled": True,
        "migManager.config.name": "mig-parted-config",
        "migManager.env": [{"name": "WITH_REBOOT", "value": "true"}],
        "gdrcopy.enabled": False,
        "gds.enabled": False,
        "dcgmExporter.serviceMonitor.interval": "15s",
    },
    "inference": {
        "driver.enabled": False,
        "toolkit.enabled": True,
        "toolkit.installDir": "/home/kubernetes/bin/nvidia",
        "toolkit.env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}, NO_GPU_BY_VARIABLE],
        "operator.runtimeClass": "nvidia",
        "hostPaths.driverInstallDir": "/home/kubernetes/bin/nvidia",
        "devicePlugin.enabled": False,
        "mig.strategy": "single",
        "migManager.enabled": False,
        "dcgmExporter.serviceMonitor.enabled": False,
        "dcgmExporter.serviceMonitor.interval": "30s",
    },
    "mixed": {
        "driver.enabled": False,
        "toolkit.enabled": False,
        "operator.runtimeClass": "nvidia-container-runtime",
        "devicePlugin.config.name": "device-plugin-config",
        "mig.strategy": "single",
        "migManager.enabled": False,
    },
    "onprem": {
        "driver.enabled": True,
        "driver.version": "595.91.07",
        "driver.kernelModuleType": "open",
        "driver.rdma": {"enabled": False, "useHostMofed": False},
        "driver.upgradePolicy": {
            "autoUpgrade": True,
            "maxParallelUpgrades": 1,
            "maxUnavailable": "25%",
            "waitForCompletion": {
                "podSelector": "gpuplane.io/team,gpuplane.io/purpose notin (inference,notebooks)",
                "timeoutSeconds": 0,
            },
            "podDeletion": {"force": True, "timeoutSeconds": 0, "deleteEmptyDir": True},
            "drain": {
                "enable": False,
                "force": False,
                "timeoutSeconds": 300,
                "deleteEmptyDir": False,
            },
        },
        "toolkit.enabled": True,
        "toolkit.env": [NO_GPU_BY_VARIABLE],
        "cdi.enabled": True,
        "devicePlugin.config.name": "device-plugin-config",
        "migManager.config.name": "mig-parted-config",
        "gdrcopy.enabled": True,
        "gds.enabled": True,
    },
}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_the_cluster_policy_says_what_the_cluster_file_decides(
    cluster: str, example: Load, rendered: DocumentsOf
) -> None:
    policy = _cluster_policy(rendered(_operator(example(cluster))))
    assert {path: _at(policy, path) for path in DECISIONS[cluster]} == DECISIONS[cluster]


def _at(document: Any, path: str) -> Any:
    for step in path.split("."):
        document = document[step]
    return document


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_operands_run_on_every_nvidia_node(
    cluster: str, example: Load, rendered: DocumentsOf
) -> None:
    platform = example(cluster)
    policy = _cluster_policy(rendered(_operator(platform)))
    tolerated = {
        (toleration["key"], toleration["value"], toleration["effect"])
        for toleration in policy["daemonsets"]["tolerations"]
    }
    taints = platform.daemon_taints(platform.pools_of("nvidia"))
    assert tolerated == {(taint.key, taint.value, taint.effect) for taint in taints}


def test_on_premises_the_discovery_taints_nodes(example: Load, rendered: DocumentsOf) -> None:
    (master,) = (
        document["spec"]["template"]["spec"]
        for document in rendered(_operator(example("onprem")))
        if document["metadata"]["name"] == "gpu-operator-node-feature-discovery-master"
        and document["kind"] == "Deployment"
    )
    assert "-enable-taints" in master["containers"][0]["args"]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_ignored_differences_are_the_defaults_that_the_chart_leaves_to_the_api_server(
    cluster: str, mirror: Path, example: Load, rendered: DocumentsOf
) -> None:
    (crd,) = from_yaml((mirror / CLUSTER_POLICY_CRD).read_text("utf-8"))
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    policy = _cluster_policy(rendered(_operator(example(cluster))))
    (chart,) = GPU_OPERATOR.charts
    (ignored,) = chart.ignore_differences
    assert sorted(_filled_in(schema, policy, "/spec")) == ignored["jsonPointers"]


def _filled_in(schema: Mapping[str, Any], value: object, path: str) -> Iterator[str]:
    """Yield the pointer of each field that is absent and has a default."""
    if not isinstance(value, dict):
        return
    for name, field in schema.get("properties", {}).items():
        if name in value:
            yield from _filled_in(field, value[name], f"{path}/{name}")
        elif "default" in field:
            yield f"{path}/{name}"


def test_only_gke_needs_permission_for_critical_pods(example: Load) -> None:
    names = {name: [c.name for c in GPU_OPERATOR_QUOTA.plan(example(name))] for name in CLUSTERS}
    assert names == {"training": [], "inference": ["gpu-operator-quota"], "mixed": [], "onprem": []}
    assert example("inference").cluster.provider is Provider.GKE


def test_a_quota_allows_any_number_of_critical_pods_beside_the_operator(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (quota,) = GPU_OPERATOR_QUOTA.plan(example("inference"))
    (operator,) = GPU_OPERATOR.plan(example("inference"))
    assert operator.namespace == "gpu-operator"
    assert documents_of_component(quota) == (
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": managed("critical-pods", "gpu-operator"),
            "spec": {
                "hard": {"pods": "1000000"},
                "scopeSelector": {
                    "matchExpressions": [
                        {
                            "scopeName": "PriorityClass",
                            "operator": "In",
                            "values": ["system-cluster-critical", "system-node-critical"],
                        }
                    ]
                },
            },
        },
    )


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("onprem", True), ("training", False), ("inference", False)]
)
def test_they_are_there_where_the_operator_upgrades_the_driver(
    example: Load, cluster: str, is_alerted: bool
) -> None:
    groups = GPU_OPERATOR.rules.groups(example(cluster))
    assert [group.alerts for group in groups] == [GPU_OPERATOR.rules.alerts()] * is_alerted
