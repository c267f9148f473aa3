"""Values of the chart node-feature-discovery, and what it renders with them."""

from typing import Any

from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import Platform

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


def node_feature_discovery_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the one that labels the nodes of all pools, whatever their vendor.

    On machines of one's own its rules also taint the nodes, which it does not do by default.
    """
    tolerations = tolerations_of(platform.daemon_taints(platform.pools))
    values: dict[str, Any] = {
        **pull_secrets(platform.cluster.pull_secret_names),
        "worker": {"tolerations": tolerations},
    }
    if not platform.provider.makes_nodes:
        values["master"] = {"enableTaints": True}
    return values
