from typing import Any

import pytest

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_metrics import counters_config_map_name
from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.components.node_feature_discovery import node_feature_discovery_values
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import GPU_TOLERATION, tolerates

STARTUP_TAINT = tolerates("readiness.k8s.io/gpu-not-ready", "true")
PREINSTALLED_DRIVER = {"enabled": False, "upgradePolicy": {"autoUpgrade": False}}
DEVICE_PLUGIN = {
    "enabled": True,
    "config": {"create": False, "name": "device-plugin-config", "default": "default"},
}
MIG_MANAGER = {
    "enabled": True,
    "config": {"create": False, "name": "mig-parted-config", "default": "all-disabled"},
}
GKE_FOLDER = "/home/kubernetes/bin/nvidia"
NODE_OF_POD = {
    "action": "replace",
    "sourceLabels": ["__meta_kubernetes_pod_node_name"],
    "targetLabel": "node",
}
EVERY_15_SECONDS = {"enabled": True, "interval": "15s", "scrapeTimeout": "10s"}

NO_GPU_BY_VARIABLE = {
    "name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED",
    "value": "false",
}
WAITED_FOR = "gpuplane.io/team,gpuplane.io/purpose notin (inference,notebooks)"

TEMPLATE = """
provider: onprem
region: here
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  h200:
    gpu: H200-SXM
    gpus: 8
    cpu: 192
    memory: 2Ti
    purpose: training
    nodes: {min: 1, max: 1}
    interconnect: INTERCONNECT
addons:
  monitoring: {interval: INTERVAL, serviceMonitors: false}
"""


def _exporter(monitor: dict[str, Any]) -> dict[str, Any]:
    """Return the values of the exporter that collects what tells of health."""
    return {
        "config": {"create": False, "name": counters_config_map_name(GpuCounters.HEALTH)},
        "serviceMonitor": {**monitor, "relabelings": [NODE_OF_POD]},
    }


def _values(platform: Platform, **decided: Any) -> dict[str, Any]:
    """Return the values that clusters have in common, and what is decided otherwise."""
    return {
        "cdi": {"enabled": True},
        "driver": PREINSTALLED_DRIVER,
        "devicePlugin": DEVICE_PLUGIN,
        "mig": {"strategy": "mixed"},
        "migManager": MIG_MANAGER,
        "gfd": {"enabled": True},
        "dcgmExporter": _exporter(EVERY_15_SECONDS),
        "gdrcopy": {"enabled": False},
        "gds": {"enabled": False},
        "nfd": {"enabled": True},
        "node-feature-discovery": node_feature_discovery_values(platform),
        "operator": {"runtimeClass": "nvidia", "upgradeCRD": False},
        **decided,
    }


def _daemonsets(*taints: dict[str, str]) -> dict[str, Any]:
    return {"priorityClassName": "system-node-critical", "tolerations": list(taints)}


def test_on_eks_the_image_carries_the_driver_and_a_new_mig_layout_boots_the_node(
    example: Load,
) -> None:
    platform = example("training")
    assert gpu_operator_values(platform) == _values(
        platform,
        daemonsets=_daemonsets(
            tolerates("gpuplane.io/purchase", "spot"), GPU_TOLERATION, STARTUP_TAINT
        ),
        toolkit={"enabled": False},
        migManager={**MIG_MANAGER, "env": [{"name": "WITH_REBOOT", "value": "true"}]},
        operator={"runtimeClass": "nvidia", "upgradeCRD": False},
        dcgmExporter=_exporter(EVERY_15_SECONDS),
    )


def test_on_gke_google_installs_the_driver_partitions_and_advertises(example: Load) -> None:
    platform = example("inference")
    assert gpu_operator_values(platform) == _values(
        platform,
        daemonsets=_daemonsets(tolerates("cloud.google.com/gke-spot", "true"), GPU_TOLERATION),
        hostPaths={"driverInstallDir": GKE_FOLDER},
        toolkit={
            "enabled": True,
            "installDir": GKE_FOLDER,
            "env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}, NO_GPU_BY_VARIABLE],
        },
        devicePlugin={"enabled": False},
        mig={"strategy": "single"},
        migManager={"enabled": False},
        dcgmExporter=_exporter({**EVERY_15_SECONDS, "enabled": False, "interval": "30s"}),
    )


def test_on_aks_azure_installs_the_driver_and_partitions(example: Load) -> None:
    platform = example("mixed")
    spot = tolerates("kubernetes.azure.com/scalesetpriority", "spot")
    assert gpu_operator_values(platform) == _values(
        platform,
        daemonsets=_daemonsets(spot, GPU_TOLERATION),
        operator={"runtimeClass": "nvidia-container-runtime", "upgradeCRD": False},
        toolkit={"enabled": False},
        mig={"strategy": "single"},
        migManager={"enabled": False},
    )


def test_on_premises_the_operator_brings_driver_and_kernel_modules(example: Load) -> None:
    platform = example("onprem")
    burn_in = {**STARTUP_TAINT, "key": "readiness.k8s.io/gpu-burn-in"}
    assert gpu_operator_values(platform) == _values(
        platform,
        daemonsets=_daemonsets(GPU_TOLERATION, burn_in),
        driver={
            "enabled": True,
            "version": "595.91.07",
            "kernelModuleType": "open",
            "rdma": {"enabled": False, "useHostMofed": False},
            "upgradePolicy": {
                "autoUpgrade": True,
                "maxParallelUpgrades": 1,
                "maxUnavailable": "25%",
                "waitForCompletion": {"podSelector": WAITED_FOR, "timeoutSeconds": 86_400},
                "gpuPodDeletion": {"deleteEmptyDir": True, "force": True, "timeoutSeconds": 0},
            },
        },
        toolkit={"enabled": True, "env": [NO_GPU_BY_VARIABLE]},
        gdrcopy={"enabled": True},
        gds={"enabled": True},
    )


@pytest.mark.parametrize(
    ("interconnect", "driver", "is_needed"),
    [
        ("infiniband", "{}", False),
        ("infiniband", "{kernelModule: open}", False),
        ("infiniband", "{kernelModule: proprietary}", True),
        ("roce", "{kernelModule: proprietary}", True),
        ("ethernet", "{kernelModule: proprietary}", False),
        ("infiniband", "{version: 560.35.05}", False),
        ("infiniband", "{version: 550.163.01}", True),
    ],
)
def test_peermem_and_ofed_are_needed_for_rdma_with_proprietary_kernel_modules_alone(
    interconnect: str, driver: str, is_needed: bool, platform_of: Load
) -> None:
    text = TEMPLATE.replace("INTERCONNECT", interconnect).replace("INTERVAL", "15s")
    rdma = gpu_operator_values(platform_of(f"{text}driver: {driver}\n"))["driver"]["rdma"]
    assert rdma == {"enabled": is_needed, "useHostMofed": is_needed}


def test_the_version_of_the_driver_is_the_charts_unless_it_is_named(platform_of: Load) -> None:
    text = TEMPLATE.replace("INTERCONNECT", "ethernet").replace("INTERVAL", "15s")
    assert "version" not in gpu_operator_values(platform_of(text))["driver"]


@pytest.mark.parametrize(("interval", "timeout"), [("5s", "5s"), ("10s", "10s"), ("1m", "10s")])
def test_a_scrape_takes_no_longer_than_the_interval(
    interval: str, timeout: str, platform_of: Load
) -> None:
    text = TEMPLATE.replace("INTERCONNECT", "ethernet").replace("INTERVAL", interval)
    monitor = gpu_operator_values(platform_of(text))["dcgmExporter"]["serviceMonitor"]
    assert monitor == {"enabled": False, "interval": interval, "scrapeTimeout": timeout}


def test_the_platform_says_what_is_collected_where_it_is_asked_to(platform_of: Load) -> None:
    text = TEMPLATE.replace("INTERCONNECT", "ethernet").replace("INTERVAL", "15s")
    asked = text.replace("serviceMonitors: false", "gpuCounters: health")
    assert gpu_operator_values(platform_of(asked))["dcgmExporter"] == _exporter(EVERY_15_SECONDS)
