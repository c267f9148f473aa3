"""Values of the chart gpu-operator-charts, and what it renders with them.

https://github.com/ROCm/gpu-operator/tree/v1.5.1/helm-charts-k8s
"""

from typing import Any

from charts_py.components.node_feature_discovery import node_feature_discovery_values
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from gpus.vendor import NVIDIA

_KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
    EmittedKind("apps", "Deployment", namespaced=True),
    EmittedKind("batch", "Job", namespaced=True),
    EmittedKind("nfd.k8s-sigs.io", "NodeFeatureRule", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "Role", namespaced=True),
    EmittedKind("rbac.authorization.k8s.io", "RoleBinding", namespaced=True),
)
"""Every kind that the chart renders with our values, beside those of `_DISCOVERY_KINDS`."""

_DISCOVERY_KINDS = (EmittedKind("apps", "DaemonSet", namespaced=True),)
"""What it renders besides where it brings Node Feature Discovery."""


def amd_gpu_operator_kinds(platform: Platform) -> tuple[EmittedKind, ...]:
    """Return every kind that the chart renders with our values."""
    return tuple(sorted((*_KINDS, *(_DISCOVERY_KINDS if _discovers(platform) else ()))))


def _discovers(platform: Platform) -> bool:
    """Return whether it brings Node Feature Discovery; NVIDIA's operator has the same."""
    return not platform.pools_of(NVIDIA)


def amd_gpu_operator_values(platform: Platform) -> dict[str, Any]:
    """Return the values for a cluster with AMD GPUs."""
    discovers = _discovers(platform)
    discovery = node_feature_discovery_values(platform) if discovers else {}
    secrets = pull_secrets(platform.cluster.pull_secret_names)
    return {
        **({"global": secrets} if secrets else {}),
        "node-feature-discovery": {"enabled": discovers, **discovery},
        # Labels the nodes that the DeviceConfig selects.
        "installdefaultNFDRule": True,
        # The DeviceConfig is a component of its own, and Argo CD applies the definitions itself.
        "crds": {"defaultCR": {"install": False, "upgrade": False}},
        "upgradeCRD": False,
        "kmm": {"enabled": False, "watch": False},
        # Argo Workflows would come with it.
        "remediation": {"enabled": False, "installCRDs": False},
        "draDriver": {"deviceClass": {"create": False}},
    }
