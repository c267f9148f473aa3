"""Node Feature Discovery: within the GPU operators' charts, or a release of its own.

https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/deployment/helm.html
"""

from collections.abc import Iterator
from typing import Any

from charts_py.components.component import Component, HelmRelease
from charts_py.objects.document import EmittedKind
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import Platform, taints_of
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import AMD, NVIDIA

REPOSITORY = "https://kubernetes-sigs.github.io/node-feature-discovery/charts"
CHART = "node-feature-discovery"
VERSION = "0.19.0"
"""The version that the chart gpu-operator carries."""

KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "DaemonSet", namespaced=True),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("batch", "Job", namespaced=True),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "Role", namespaced=True),
    EmittedKind("rbac.authorization.k8s.io", "RoleBinding", namespaced=True),
)
"""Every kind that the chart renders."""

_WITH_AN_OPERATOR = (NVIDIA, AMD)
"""Vendors whose operator's chart carries it."""


def node_feature_discovery_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the one that labels the nodes of all pools, whatever their vendor.

    On machines of one's own its rules also taint the nodes, which it does not do by default.
    """
    values: dict[str, Any] = {"worker": {"tolerations": tolerations_of(taints_of(platform.pools))}}
    if not platform.provider.makes_nodes:
        values["master"] = {"enableTaints": True}
    return values


def plan(platform: Platform) -> Iterator[Component]:
    """Yield a release of its own where the pools are made by its rules and no operator has it."""
    if platform.provider.makes_nodes or platform.pools_of(*_WITH_AN_OPERATOR):
        return
    values = node_feature_discovery_values(platform)
    yield Component(
        name="node-feature-discovery",
        wave=Wave.OPERATORS,
        # Its workers mount the host's folders, which a namespace of our own would have to allow.
        namespace=KUBE_SYSTEM_NAMESPACE,
        helm=HelmRelease(REPOSITORY, CHART, VERSION, values, KINDS),
    )
