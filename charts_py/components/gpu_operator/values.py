"""The values of the chart gpu-operator, as far as the cluster file decides them.

https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html
"""

from typing import Any, TypeAlias

from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.components.gpu_metrics import counters_config_map_name, replaces_exporters_counters
from charts_py.components.gpu_operator.driver import kernel_module_of
from charts_py.components.gpu_operator.driver_upgrade import upgrade_policy
from charts_py.components.gpu_sharing import (
    DEFAULT,
    DEVICE_PLUGIN_CONFIG_MAP,
    MIG_PARTED_CONFIG_MAP,
    advertises_here,
    mig_strategy_of,
    partitions_here,
)
from charts_py.components.node_feature_discovery import node_feature_discovery_values
from charts_py.components.scraping import NODE_OF_POD
from charts_py.objects.pods import tolerations_of
from charts_py.platform.metrics_collection import MetricsCollection
from charts_py.platform.platform import Platform
from charts_py.platform.provider_facts import GpuHost
from gpus.allocator import Allocator
from gpus.instance_type import Interconnect
from gpus.mig import ALL_DISABLED
from gpus.model import NVIDIA, KernelModuleKind

_UNITS = {"s": 1, "m": 60}
"""Seconds of each unit that an interval is written in."""
_SCRAPE_TIMEOUT_SECONDS = 10
"""The chart's; the Prometheus operator refuses one that is longer than the interval."""
Values: TypeAlias = dict[str, Any]
_RDMA = frozenset({Interconnect.INFINIBAND, Interconnect.ROCE})
_NO_GPU_BY_VARIABLE = {
    "name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED",
    "value": "false",
}
_PULLED = (
    "operator",
    "validator",
    "driver",
    "toolkit",
    "devicePlugin",
    "gfd",
    "migManager",
    "dcgmExporter",
    "gdrcopy",
    "gds",
)
"""The sections of images that run here; each has pull secrets of its own."""


def gpu_operator_values(platform: Platform) -> Values:
    values = _decided(platform)
    if names := platform.cluster.pull_secret_names:
        pulled = {"imagePullSecrets": list(names)}
        values |= {section: {**values.get(section, {}), **pulled} for section in _PULLED}
    return values


def _decided(platform: Platform) -> Values:
    host = platform.provider.host(platform.driver_owner)
    return {
        "cdi": {"enabled": True},
        "daemonsets": {
            # Without its device plugin a GPU node is of no use to anybody.
            "priorityClassName": NODE_CRITICAL,
            "tolerations": tolerations_of(platform.daemon_taints(platform.pools_of(NVIDIA))),
        },
        "driver": _driver(platform),
        **_host_paths(host),
        # Argo CD applies the definitions itself.
        "operator": {
            "runtimeClass": host.runtime_class,
            "upgradeCRD": False,
            **_own_metrics(platform),
        },
        "toolkit": _toolkit(host),
        "devicePlugin": _device_plugin(platform),
        **_validator(platform),
        "mig": {"strategy": mig_strategy_of(platform).value},
        "migManager": _mig_manager(platform),
        "gfd": {"enabled": True},
        "dcgmExporter": exporter_values(platform),
        "gdrcopy": {"enabled": platform.cluster.addons.gdrcopy},
        "gds": {"enabled": platform.cluster.addons.gpudirect_storage},
        "nfd": {"enabled": True},
        "node-feature-discovery": node_feature_discovery_values(platform),
    }


def _driver(platform: Platform) -> Values:
    """Return who installs the driver; a node whose driver is replaced loses its GPU pods."""
    if platform.driver_owner is not DriverOwner.OPERATOR:
        return {"enabled": False, "upgradePolicy": {"autoUpgrade": False}}
    driver = platform.cluster.driver
    values: Values = {
        "enabled": True,
        "kernelModuleType": driver.kernel_module.value,
        "rdma": _rdma(platform),
        "upgradePolicy": upgrade_policy(platform),
    }
    if driver.version is not None:
        values["version"] = driver.version
    return values


def _host_paths(host: GpuHost) -> Values:
    if host.driver_folder is None:
        return {}
    return {"hostPaths": {"driverInstallDir": host.driver_folder}}


def _toolkit(host: GpuHost) -> Values:
    """Return the toolkit, where it is ours such that a variable alone gives no GPU.

    Its runtime is not the default one, but any pod can name its runtime class, and an image that
    sets NVIDIA_VISIBLE_DEVICES then sees what it names. Pods that ask for GPUs need no variable:
    the device plugin and DRA name CDI devices to the kubelet, and Google's device plugin names
    files. The operator's own daemons do need it, and are privileged.

    `transformToolkitCtrForCDI`, `transformDevicePluginCtrForCDI` in controllers/object_controls.go
    and assets/ of https://github.com/NVIDIA/gpu-operator at v26.7.0; `VisibleDevices` in
    internal/config/image/cuda_image.go of https://github.com/NVIDIA/nvidia-container-toolkit at
    v1.20.0; `getAllocateResponse` in internal/plugin/server.go of
    https://github.com/NVIDIA/k8s-device-plugin at v0.20.0; `Allocate` in
    https://github.com/GoogleCloudPlatform/container-engine-accelerators/blob/master/pkg/gpu/nvidia/beta_plugin.go
    """
    if not host.toolkit["enabled"]:
        return dict(host.toolkit)
    return {**host.toolkit, "env": [*host.toolkit.get("env", ()), _NO_GPU_BY_VARIABLE]}


def _rdma(platform: Platform) -> Values:
    """Return whether the driver brings `nvidia-peermem`, by which network cards read GPU memory.

    Only proprietary kernel modules need it, and MLNX_OFED or DOCA-OFED to build it with: that of
    the machine, as the operator would otherwise wait for a container of the NVIDIA network
    operator, which is not part of this platform. Open ones register memory by DMA-BUF, with any
    driver of the network card that comes with Linux 5.12 or later.
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-rdma.html
    """
    pools = platform.pools_of(NVIDIA)
    linked = [pool.hardware.model for pool in pools if pool.hardware.interconnect in _RDMA]
    kinds = {
        kernel_module_of(platform.cluster.driver, model.driver) for model in linked if model.driver
    }
    is_needed = KernelModuleKind.PROPRIETARY in kinds
    return {"enabled": is_needed, "useHostMofed": is_needed}


def _device_plugin(platform: Platform) -> Values:
    if not advertises_here(platform) or not platform.pools_by(Allocator.DEVICE_PLUGIN):
        return {"enabled": False}
    config = {"create": False, "name": DEVICE_PLUGIN_CONFIG_MAP, "default": DEFAULT}
    return {"enabled": True, "config": config}


def _validator(platform: Platform) -> Values:
    """Return what keeps the validator from waiting for GPUs that DRA allocates.

    It is on every node of the cluster, and never ready where no device plugin advertises a GPU. The
    operator leaves that step out only where it has no device plugin at all, and it never skips a
    step on some nodes; so where there are both, the step validates what nobody has switched on.
    `TransformValidatorComponent` in controllers/object_controls.go and `MOFED.validate` in
    cmd/nvidia-validator/main.go of https://github.com/NVIDIA/gpu-operator at v26.7.0
    """
    if not all(platform.pools_by(allocator) for allocator in Allocator):
        return {}
    return {"validator": {"plugin": {"env": [{"name": "COMPONENT", "value": "mofed"}]}}}


def _mig_manager(platform: Platform) -> Values:
    """Return the MIG manager, where it is not the provider that partitions.

    A cloud's virtual machine takes another MIG mode only when it boots:
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
    """
    if not partitions_here(platform):
        return {"enabled": False}
    config = {"create": False, "name": MIG_PARTED_CONFIG_MAP, "default": ALL_DISABLED}
    values: Values = {"enabled": True, "config": config}
    if platform.provider.makes_nodes:
        values["env"] = [{"name": "WITH_REBOOT", "value": "true"}]
    return values


def _own_metrics(platform: Platform) -> Values:
    """Return the labels of the operator's own ServiceMonitor, which it makes in any case."""
    labels = monitor_labels(platform.monitoring)
    return {"metrics": {"serviceMonitor": labels}} if labels else {}


def exporter_values(platform: Platform) -> dict[str, Any]:
    monitor = _service_monitor(platform.monitoring)
    if not replaces_exporters_counters(platform):
        return {"serviceMonitor": monitor}
    collected = platform.cluster.addons.monitoring.gpu_counters
    return {
        "config": {"create": False, "name": counters_config_map_name(collected)},
        "serviceMonitor": {**monitor, "relabelings": [dict(NODE_OF_POD)]},
    }


def monitor_labels(monitoring: MetricsCollection) -> dict[str, Any]:
    """Return the labels of a ServiceMonitor that the operator makes; empty where it has none."""
    return {"additionalLabels": dict(monitoring.labels)} if monitoring.labels else {}


def _service_monitor(monitoring: MetricsCollection) -> dict[str, Any]:
    timeout = min(_seconds(monitoring.interval), _SCRAPE_TIMEOUT_SECONDS)
    return {
        "enabled": monitoring.has_operator,
        "interval": monitoring.interval,
        "scrapeTimeout": f"{timeout}s",
        **monitor_labels(monitoring),
    }


def _seconds(duration: str) -> int:
    return int(duration[:-1]) * _UNITS[duration[-1]]
