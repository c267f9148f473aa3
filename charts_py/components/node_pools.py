"""The node pools, made by what the provider has for it."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from charts_py.component import Component
from charts_py.platform.platform import Platform
from charts_py.providers import (
    aks,
    eks_eksctl,
    eks_karpenter,
    gke_compute_class,
    gke_config_connector,
    onprem,
)
from charts_py.providers.provisioner import NodeProvisioner
from charts_py.spec.cluster import Cluster
from charts_py.spec.provider import EksProvisioner, GkeProvisioner, Provider

Choice: TypeAlias = EksProvisioner | GkeProvisioner | Provider

PROVISIONERS: Mapping[Choice, NodeProvisioner] = {
    EksProvisioner.KARPENTER: eks_karpenter,
    EksProvisioner.EKSCTL: eks_eksctl,
    GkeProvisioner.CONFIG_CONNECTOR: gke_config_connector,
    GkeProvisioner.COMPUTE_CLASS: gke_compute_class,
    Provider.AKS: aks,
    Provider.ONPREM: onprem,
}
"""What makes nodes, by the provider, or by what a provider offers to choose from."""


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the components that make the nodes."""
    yield from PROVISIONERS[_choice(platform.cluster)].plan(platform)


def namespaces(platform: Platform) -> tuple[str, ...]:
    """Return the namespaces of the objects that nodes are made from."""
    return PROVISIONERS[_choice(platform.cluster)].NAMESPACES


def _choice(cluster: Cluster) -> Choice:
    settings = cluster.eks or cluster.gke
    return settings.provisioner if settings else cluster.provider
