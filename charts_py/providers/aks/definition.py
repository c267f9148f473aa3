"""Facts, checks and node pools of Azure's AKS.

https://learn.microsoft.com/azure/aks/use-nvidia-gpu and .../azure/aks/gpu-multi-instance
"""

import re
from collections.abc import Iterator

from charts_py.cluster_file.cluster import Cluster, NetworkPolicyEngine
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Pool
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import NameRule
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.provider_facts import CALICO, CILIUM, EngineSign, LabelNames, NodeHardware
from charts_py.platform.wave import Wave
from charts_py.providers.aks.agent_pools import NO_GPU_PROFILE, agent_pools
from charts_py.providers.definition import ProviderDefinition, Provisioner, facts_of
from gpus.model import AMD
from gpus.nearest import is_one_typo, nearest
from gpus.provider import Provider
from gpus.purchase import AKS_SPOT
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

_MAX_NODES = 1000
"""https://learn.microsoft.com/azure/aks/quotas-skus-regions"""
_MIN_PODS = 10
"""https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning#maximum-pods-per-node"""
_DIGITS = "0123456789"
_KNOWN_REGION = "one that `az account list-locations` names"


def check_amd(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of AMD GPUs where AKS would install NVIDIA's driver.

    https://learn.microsoft.com/azure/aks/use-amd-gpus
    """
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vendor == AMD:
            what = f"AKS makes nodes with {pool.hardware.model.name} only by {NO_GPU_PROFILE}"
            yield Problem((*pool.path, "instanceType"), what, "GPUs of nvidia")


def check_pool_size(draft: Draft) -> Iterator[Problem]:
    for pool in draft.pools:
        if pool.spec.nodes.max > _MAX_NODES:
            what = f"{pool.spec.nodes.max} nodes in an agent pool"
            yield Problem((*pool.path, "nodes", "max"), what, f"at most {_MAX_NODES}")
        if pool.spec.max_pods is not None and pool.spec.max_pods < _MIN_PODS:
            what = f"{pool.spec.max_pods} pods on a node of {draft.cluster.provider}"
            yield Problem((*pool.path, "maxPods"), what, f"at least {_MIN_PODS}")


def check_region_name(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a region that is one typo in its letters away from a known one.

    The names follow hardly any pattern, so that only the list of all finds a typo. A region like no
    other is taken for new, and so is a further one of the same name.
    """
    region, regions = draft.cluster.region, draft.provider.regions
    known = {name.rstrip(_DIGITS) for name in regions.names}
    name = region.rstrip(_DIGITS)
    has_form = re.fullmatch(regions.pattern, region) is not None
    if has_form and name not in known and any(is_one_typo(name, each) for each in known):
        what = f'"{region}" is not a region of {draft.cluster.provider}'
        yield Problem(("region",), what, _KNOWN_REGION, nearest(region, regions.names))


def _label_values(cluster: Cluster, _: str, pool: Pool, __: NodeHardware) -> LabelNames:
    """Return the zones as labels of nodes name them.

    https://learn.microsoft.com/azure/aks/availability-zones-overview
    """
    zones = tuple(f"{cluster.region}-{zone}" for zone in pool.zones)
    return {"zone": zones} if zones else {}


_POOL_NAME = NameRule("an AKS agent pool", r"[a-z][a-z0-9]{0,11}", 12, "h100")
AKS = ProviderDefinition(
    **facts_of(Provider.AKS),
    # https://learn.microsoft.com/azure/aks/workload-identity-overview#pod-labels
    identity_labels={"azure.workload.identity/use": "true"},
    pool_name=lambda _draft, _pool: _POOL_NAME,
    provisioners={
        None: Provisioner(
            objects=agent_pools,
            wave=Wave.NODES,
            namespace=NODE_POOLS_NAMESPACE,
            namespaces=(NODE_POOLS_NAMESPACE,),
            has_placeholders=True,
        )
    },
    only_driver_owner=f"AKS installs its own unless it is told not to by {NO_GPU_PROFILE}",
    # https://learn.microsoft.com/azure/aks/spot-node-pool
    taints=ProviderTaints(spot=Taint(AKS_SPOT, "spot", NO_SCHEDULE), sets_spot=True),
    # https://learn.microsoft.com/azure/aks/use-network-policies
    network_policy_engines={
        NetworkPolicyEngine.CILIUM: CILIUM,
        NetworkPolicyEngine.CALICO: CALICO,
        NetworkPolicyEngine.AZURE: (EngineSign("azure-npm"),),
    },
    label_values=_label_values,
    checks=(check_region_name, check_amd, check_pool_size),
)
