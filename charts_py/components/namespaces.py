"""The namespaces of the platform itself; a team's come with the team."""

from collections.abc import Iterator
from dataclasses import dataclass

from constructs import Construct

from charts_py.components import node_pools
from charts_py.components.component import Component
from charts_py.objects.confirmed_removal import CONFIRMED_REMOVAL
from charts_py.objects.kube_object import ObjectMeta, add_object
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import (
    AMD_GPU_OPERATOR_NAMESPACE,
    GPU_OPERATOR_NAMESPACE,
)
from charts_py.platform.wave import Wave
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.team import PodSecurity
from gpus.vendor import AMD, NVIDIA

_PRIVILEGED = {NVIDIA: GPU_OPERATOR_NAMESPACE, AMD: AMD_GPU_OPERATOR_NAMESPACE}
"""Namespaces by the vendor whose driver containers load kernel modules there and device plugins
mount the host's directories:
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html and
https://instinct.docs.amd.com/projects/gpu-operator/
"""


@dataclass(frozen=True, slots=True)
class NamespacesProps:
    """Names of the namespaces, and the Kubernetes version whose rules judge their pods."""

    privileged: tuple[str, ...]
    """Those whose pods own the node."""
    node_pools: tuple[str, ...]
    """Those of the objects that nodes are made from, where no pod runs."""
    kubernetes: KubernetesVersion


class Namespaces(Construct):
    """One Namespace each: every pod is let through without a warning, or held to all rules.

    With the namespace of node pools their objects would go, and with those the cloud's machines.
    """

    def __init__(self, scope: Construct, id: str, props: NamespacesProps) -> None:
        super().__init__(scope, id)
        for name in props.privileged:
            labels = _labels(props.kubernetes, PodSecurity.PRIVILEGED)
            add_object(self, "v1", "Namespace", ObjectMeta(name, labels=labels), {})
        for name in props.node_pools:
            labels = _labels(props.kubernetes, PodSecurity.RESTRICTED)
            metadata = ObjectMeta(name, labels=labels, annotations=CONFIRMED_REMOVAL)
            add_object(self, "v1", "Namespace", metadata, {})


def _labels(kubernetes: KubernetesVersion, level: PodSecurity) -> dict[str, str]:
    return pod_security_labels(kubernetes, enforced=level, reported=level)


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the namespaces that GPUs of the platform's vendors and the node pools need."""
    privileged = sorted(name for vendor, name in _PRIVILEGED.items() if platform.pools_of(vendor))
    of_pools = node_pools.namespaces(platform)
    if not privileged and not of_pools:
        return
    props = NamespacesProps(tuple(privileged), of_pools, platform.cluster.kubernetes)
    yield Component(
        name="namespaces",
        wave=Wave.NAMESPACES,
        namespace="default",
        construct=lambda scope: Namespaces(scope, "namespaces", props),
        is_removed_last=bool(of_pools),
    )
