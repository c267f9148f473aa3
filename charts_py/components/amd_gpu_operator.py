"""AMD's GPU operator, as an Argo CD Helm release.

The nodes' kernel brings the driver, whoever owns NVIDIA's: the operator would build AMD's
out-of-tree driver within the cluster and push it to a registry that nobody names here, through
Kernel Module Management, which needs cert-manager. A cluster that wants it adds `driver` to the
DeviceConfig and `kmm` to the release, by patches.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/drivers/installation.html

The chart is not among the pinned files, so that no test renders it: its kinds were taken from its
templates at the tag v1.5.1 of https://github.com/ROCm/gpu-operator (helm-charts-k8s).
"""

from collections.abc import Iterator
from typing import Any

from charts_py.components.component import Component, HelmRelease
from charts_py.components.node_feature_discovery import node_feature_discovery_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import AMD_GPU_OPERATOR_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import AMD, NVIDIA

REPOSITORY = "https://rocm.github.io/gpu-operator"
CHART = "gpu-operator-charts"
VERSION = "v1.5.1"

KINDS = (
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
"""Every kind that the chart renders with our values, beside those of `DISCOVERY_KINDS`."""

DISCOVERY_KINDS = (EmittedKind("apps", "DaemonSet", namespaced=True),)
"""What it renders besides where it brings Node Feature Discovery."""


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the operator where there are AMD GPUs."""
    if not platform.pools_of(AMD):
        return
    discovers = not platform.pools_of(NVIDIA)
    yield Component(
        name="amd-gpu-operator",
        wave=Wave.OPERATORS,
        namespace=AMD_GPU_OPERATOR_NAMESPACE,
        helm=HelmRelease(
            repository=REPOSITORY,
            chart=CHART,
            version=VERSION,
            values=_values(platform, discovers=discovers),
            kinds=tuple(sorted((*KINDS, *(DISCOVERY_KINDS if discovers else ())))),
        ),
    )


def _values(platform: Platform, *, discovers: bool) -> dict[str, Any]:
    """Return the values; NVIDIA's operator brings the same Node Feature Discovery."""
    discovery = node_feature_discovery_values(platform) if discovers else {}
    return {
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
