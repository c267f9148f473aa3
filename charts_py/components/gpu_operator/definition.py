"""NVIDIA's GPU operator, which runs what a node needs to offer its GPUs, as a Helm release.

Argo CD applies the chart's CustomResourceDefinitions at each sync, so that the chart's job which
upgrades them, and the right to change definitions that comes with it, are left out.
"""

from dataclasses import replace

from charts_py.cluster_file.addons import Prometheus
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.queues import CRITICAL_PRIORITY_CLASSES
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.gpu_metrics import replaces_exporters_counters
from charts_py.components.gpu_operator.driver import (
    check_driver_of_gpus,
    check_kernel_modules,
    check_storage_module,
)
from charts_py.components.gpu_operator.driver_upgrade import hasty_upgrades
from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.components.gpu_sharing import NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.model import NVIDIA
from policies.settings import PodSecurity

_MAX_CRITICAL_PODS = 1_000_000
"""More than there can be: a cluster has at most 15,000 nodes, with a dozen pods of the operator
each (https://cloud.google.com/kubernetes-engine/quotas)."""
_EXPORTER = "nvidia-dcgm-exporter"
# https://github.com/NVIDIA/gpu-operator, assets/state-dcgm-exporter at v26.7.0.
_TARGET = ScrapeTarget(_EXPORTER, NAMESPACE, {"app": _EXPORTER}, port="metrics")


def _is_wanted(platform: Platform) -> bool:
    return platform.provider.bounds_critical_pods and bool(platform.pools_of(NVIDIA))


def _objects(_: Platform) -> tuple[Document, ...]:
    """GKE limits the critical classes by default; this quota allows them, in any number.

    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html
    """
    selected = {
        "scopeName": "PriorityClass",
        "operator": "In",
        "values": list(CRITICAL_PRIORITY_CLASSES),
    }
    spec = {
        "hard": {"pods": str(_MAX_CRITICAL_PODS)},
        "scopeSelector": {"matchExpressions": [selected]},
    }
    metadata = ObjectMeta("critical-pods", NAMESPACE)
    return (object_of("v1", "ResourceQuota", metadata, {"spec": spec}),)


GPU_OPERATOR_QUOTA = Definition(
    name="gpu-operator-quota",
    description="""
Permission for the GPU operator's pods to have a system-critical priority.

Where the API server limits the consumption of these priorities by default, it admits such pods
outside kube-system only where a quota names them.
https://kubernetes.io/docs/concepts/policy/resource-quotas/#limit-priority-class-consumption-by-default
""",
    appears="with NVIDIA GPUs, where the provider bounds system-critical priorities",
    is_wanted=_is_wanted,
    fields=("provider",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    namespace=NAMESPACE,
    objects=_objects,
)


def _scraped(platform: Platform) -> tuple[ScrapeTarget, ...]:
    """Return the exporter for Google's collectors; for Prometheus the operator says it itself."""
    if platform.monitoring.prometheus is not Prometheus.GOOGLE_MANAGED:
        return ()
    return (replace(_TARGET, names_node=replaces_exporters_counters(platform)),)


def _tells_of_upgrades(platform: Platform) -> bool:
    """Return whether the operator upgrades the driver, and somebody scrapes that."""
    upgrades = platform.driver_owner is DriverOwner.OPERATOR
    return upgrades and platform.monitoring.has_operator


GPU_OPERATOR = Definition(
    name="gpu-operator",
    description=__doc__,
    appears="with NVIDIA GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(NVIDIA)),
    fields=(
        "driver",
        "addons.gdrcopy",
        "addons.gpudirectStorage",
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
        "addons.monitoring.labels",
        "addons.monitoring.gpuCounters",
        "pools.NAME.nodes",
        "pools.NAME.sharing",
        "pools.NAME.allocator",
        "pools.NAME.interconnect",
        "teams.NAME.namespaces.NAME.purpose",
        "teams.NAME.namespaces.NAME.quota.gpus",
    ),
    depends_on=("gpu-sharing", "gpu-metrics", "gpu-operator-quota"),
    wave=Wave.OPERATORS,
    # Driver containers load kernel modules, device plugins mount the host's directories:
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.PRIVILEGED),
    charts=(known_chart("gpu-operator"),),
    values=gpu_operator_values,
    checks=(check_kernel_modules, check_driver_of_gpus, check_storage_module),
    warnings=hasty_upgrades,
    scraped=_scraped,
    rules=alert_table(
        "gpu-driver",
        NAMESPACE,
        __package__,
        has=lambda platform, _: _tells_of_upgrades(platform),
        reads_other_namespaces=False,
    ),
)
