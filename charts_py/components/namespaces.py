"""The namespaces of the platform itself; a team's come with the team."""

from collections.abc import Iterator
from dataclasses import dataclass

from constructs import Construct

from charts_py.component import Component, Wave
from charts_py.components.pod_security import pod_security_labels
from charts_py.kube_object import ObjectMeta, add_object
from charts_py.platform.platform import Platform
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.team import PodSecurity

GPU_OPERATOR_NAMESPACE = "gpu-operator"
AMD_GPU_OPERATOR_NAMESPACE = "amd-gpu-operator"

_PRIVILEGED = {"nvidia": GPU_OPERATOR_NAMESPACE, "amd": AMD_GPU_OPERATOR_NAMESPACE}
"""Namespaces by the vendor whose driver containers load kernel modules there and device plugins
mount the host's directories:
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html and
https://instinct.docs.amd.com/projects/gpu-operator/
"""


@dataclass(frozen=True, slots=True)
class NamespacesProps:
    """Names of the namespaces whose pods own the node, and whose rules judge them."""

    privileged: tuple[str, ...]
    kubernetes: KubernetesVersion


class Namespaces(Construct):
    """One Namespace each, in which every pod is let through without a warning."""

    def __init__(self, scope: Construct, id: str, props: NamespacesProps) -> None:  # noqa: A002 # as cdk8s names it
        super().__init__(scope, id)
        labels = pod_security_labels(
            props.kubernetes, enforced=PodSecurity.PRIVILEGED, reported=PodSecurity.PRIVILEGED
        )
        for name in props.privileged:
            add_object(self, "v1", "Namespace", ObjectMeta(name, labels=labels), {})


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the namespaces that the vendors of the platform's GPUs need."""
    needed = [name for vendor, name in _PRIVILEGED.items() if platform.pools_of(vendor)]
    if not needed:
        return
    props = NamespacesProps(tuple(sorted(needed)), platform.cluster.kubernetes)
    yield Component(
        name="namespaces",
        wave=Wave.NAMESPACES,
        namespace="default",
        construct=lambda scope: Namespaces(scope, "namespaces", props),
    )
