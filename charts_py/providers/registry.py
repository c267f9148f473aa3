"""All providers."""

from collections.abc import Mapping

from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.providers.aks.definition import AKS
from charts_py.providers.definition import ProviderDefinition, Provisioner
from charts_py.providers.eks.definition import EKS
from charts_py.providers.gke.definition import GKE
from charts_py.providers.onprem.definition import ONPREM
from charts_py.providers.placeholder import placeholders
from gpus.provider import Provider

PROVIDERS: Mapping[Provider, ProviderDefinition] = {
    definition.name: definition for definition in (EKS, GKE, AKS, ONPREM)
}


def provisioner_of(platform: Platform) -> Provisioner:
    return PROVIDERS[platform.provider.name].provisioner(platform.cluster)


def held_pools(platform: Platform) -> tuple[PlatformPool, ...]:
    """Return the pools of which placeholders hold nodes."""
    if not provisioner_of(platform).has_placeholders:
        return ()
    return tuple(pool for pool in platform.pools if placeholders(pool, platform))


def no_placeholders(platform: Platform) -> str:
    """Return what a matcher of PromQL ends with that leaves out placeholders."""
    return f', namespace!="{NODE_POOLS_NAMESPACE}"' if held_pools(platform) else ""
