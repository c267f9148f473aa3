"""Facts, checks and node pools of Azure's AKS.

https://learn.microsoft.com/azure/aks/use-nvidia-gpu and .../azure/aks/gpu-multi-instance
"""

from __future__ import annotations

from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.platform.name_rule import NameRule
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.provider_facts import (
    CALICO,
    CILIUM,
    FIRST_INTERFACE,
    EngineSign,
    GpuHost,
    HealthCondition,
)
from charts_py.platform.wave import Wave
from charts_py.providers.aks.agent_pools import NO_GPU_PROFILE, agent_pools
from charts_py.providers.aks.checks import check_amd, check_pool_size, check_region_name
from charts_py.providers.definition import ProviderDefinition, Provisioner
from charts_py.providers.regions import REGIONS
from gpus.instance_type import Interconnect
from gpus.pool_facts import Advertiser, ResourceNaming
from gpus.provider import Provider
from gpus.purchase import AKS_SPOT, Purchase
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

_POOL_NAME = NameRule("an AKS agent pool", r"[a-z][a-z0-9]{0,11}", 12)


_PROVISIONER = Provisioner(
    objects=agent_pools,
    wave=Wave.NODES,
    namespace=NODE_POOLS_NAMESPACE,
    namespaces=(NODE_POOLS_NAMESPACE,),
)

AKS = ProviderDefinition(
    name=Provider.AKS,
    runs_api_server="Microsoft",
    pool_name=lambda _draft, _pool: _POOL_NAME,
    provisioner=lambda _cluster: _PROVISIONER,
    driver_owners=(DriverOwner.MANAGED,),
    only_driver_owner=f"AKS installs its own unless it is told not to by {NO_GPU_PROFILE}",
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/microsoft-aks.html
    hosts={
        DriverOwner.MANAGED: GpuHost(
            toolkit={"enabled": False}, runtime_class="nvidia-container-runtime"
        )
    },
    advertiser=Advertiser.OPERATOR,
    # The cluster autoscaler treats a GPU node that does not offer `nvidia.com/gpu` as broken, and
    # many broken nodes stop it for every pool: cluster-autoscaler 1.36.1,
    # processors/customresources/gpu_processor.go and clusterstate/clusterstate.go;
    # https://github.com/Azure/AKS/issues/5161
    naming=ResourceNaming.WHOLE,
    needs_device_plugin="the autoscaler of aks treats nodes without nvidia.com/gpu as broken",
    purchases=(Purchase.RESERVED, Purchase.ON_DEMAND, Purchase.SPOT),
    interconnects=(Interconnect.ETHERNET, Interconnect.INFINIBAND),
    uniform_mig=True,
    # https://learn.microsoft.com/azure/aks/spot-node-pool
    taints=ProviderTaints(spot=Taint(AKS_SPOT, "spot", NO_SCHEDULE), sets_spot=True),
    # https://learn.microsoft.com/azure/aks/use-network-policies
    network_policy_engines={
        NetworkPolicyEngine.CILIUM: CILIUM,
        NetworkPolicyEngine.CALICO: CALICO,
        NetworkPolicyEngine.AZURE: (EngineSign("azure-npm"),),
    },
    region="westeurope",
    regions=REGIONS["aks"].names,
    region_pattern=REGIONS["aks"].pattern,
    zone_pattern=REGIONS["aks"].zone_pattern,
    reservation_pattern=r"[A-Za-z0-9_.-]{1,80}",
    one_mig_profile_per_size=True,
    # https://learn.microsoft.com/azure/aks/quotas-skus-regions
    max_pods_per_node=250,
    checks=(check_region_name, check_amd, check_pool_size),
    # https://learn.microsoft.com/azure/aks/use-metrics-server-vertical-pod-autoscaler
    brings_metrics_server=True,
    # NCCL's own transport, whatever plugin the image has.
    rdma_environment={"NCCL_NET_PLUGIN": "none", **FIRST_INTERFACE},
    cluster_fields=("subscription", "resourceGroup", "clusterName"),
    node_labels=("kubernetes.azure.com/agentpool",),
    node_kind="ManagedClustersAgentPool",
    provider_id_scheme="azure",
    # https://learn.microsoft.com/azure/aks/gpu-health-monitoring, which does not say which errors
    # XIDErrors is for: some are those of programs.
    gpu_conditions=(
        HealthCondition("GPUMissing", status_when_well="False"),
        HealthCondition("NVLinkStatusInactive", status_when_well="False"),
    ),
    # AKS keeps webhooks away from its own namespaces:
    # https://learn.microsoft.com/azure/aks/faq#can-admission-controller-webhooks-impact-kube-system-and-internal-aks-namespaces-
    webhook_differences=(
        (
            ".webhooks[]?.namespaceSelector.matchExpressions[]?"
            ' | select(.key == "control-plane" or .key == "kubernetes.azure.com/managedby")'
        ),
    ),
)
