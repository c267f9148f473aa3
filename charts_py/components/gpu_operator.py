"""NVIDIA's GPU operator, which runs what a node needs to offer its GPUs, as a Helm release.

Argo CD applies the chart's CustomResourceDefinitions at each sync, so that the chart's job which
upgrades them, and the right to change definitions that comes with it, are left out.
"""

from collections.abc import Iterator

from charts_py.components import node_feature_discovery
from charts_py.components.component import Component, HelmRelease
from charts_py.components.critical_pods_quota import CriticalPodsQuota, CriticalPodsQuotaProps
from charts_py.components.gpu_operator_values import gpu_operator_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import GPU_OPERATOR_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import NVIDIA

REPOSITORY = "https://helm.ngc.nvidia.com/nvidia"
CHART = "gpu-operator"
VERSION = "v26.7.0"

KINDS = (
    *node_feature_discovery.KINDS,
    EmittedKind("nvidia.com", "ClusterPolicy", namespaced=False),
)
"""Every kind that the chart renders with our values; it carries Node Feature Discovery's chart."""

IGNORE_DIFFERENCES = (
    {
        "group": "nvidia.com",
        "kind": "ClusterPolicy",
        "jsonPointers": [
            "/spec/cdi/default",
            "/spec/cdi/nriPluginEnabled",
            "/spec/hostPaths/kubeletRootDir",
        ],
    },
)
"""Fields that the chart leaves out and the kind's schema has a default for
(https://github.com/NVIDIA/gpu-operator/issues/2795)."""

_MOST_CRITICAL_PODS = 1_000_000
"""More than there can be: a cluster has at most 15,000 nodes, with a dozen pods of the operator
each (https://cloud.google.com/kubernetes-engine/quotas)."""


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the operator where there are NVIDIA GPUs, and leave for its pods where they need it."""
    if not platform.pools_of(NVIDIA):
        return
    if platform.provider.bounds_critical_pods:
        yield _critical_pods_quota()
    yield Component(
        name="gpu-operator",
        wave=Wave.OPERATORS,
        namespace=GPU_OPERATOR_NAMESPACE,
        helm=HelmRelease(
            repository=REPOSITORY,
            chart=CHART,
            version=VERSION,
            values=gpu_operator_values(platform),
            kinds=KINDS,
            ignore_differences=IGNORE_DIFFERENCES,
        ),
    )


def _critical_pods_quota() -> Component:
    props = CriticalPodsQuotaProps(GPU_OPERATOR_NAMESPACE, _MOST_CRITICAL_PODS)
    return Component(
        name="gpu-operator-quota",
        wave=Wave.CONFIGURATION,
        namespace=GPU_OPERATOR_NAMESPACE,
        construct=lambda scope: CriticalPodsQuota(scope, "critical-pods-quota", props),
    )
