"""Facts, checks and node pools of Amazon's EKS."""

from charts_py.cluster_file.cluster import Cluster, NetworkPolicyEngine
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.name_rule import NameRule, label_value_rule
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.provider_facts import (
    CALICO,
    CILIUM,
    EngineSign,
    FoundObject,
    LabelNames,
    NodeHardware,
)
from charts_py.platform.wave import Wave
from charts_py.providers.definition import (
    ProviderDefinition,
    Provisioner,
    facts_of,
    is_provisioned_by,
)
from charts_py.providers.eks import checks
from charts_py.providers.eks.ec2 import addressed_pods, joins_local_disks, most_disk
from charts_py.providers.eks.eksctl import node_groups
from charts_py.providers.eks.karpenter import NAME_WITH_MINIMUM, karpenter_pools, node_pool_names
from charts_py.providers.eks.machine_labels import machine_labels
from gpus.provider import Provider
from gpus.purchase import Purchase
from repair.settings import Remedy


def _pool_name(draft: Draft, pool: DraftPool) -> NameRule:
    if pool.spec.nodes.min > 0 and is_provisioned_by(draft, EksProvisioner.KARPENTER):
        return NAME_WITH_MINIMUM
    return label_value_rule("a Karpenter NodePool")


def _is_switched_on(config_map: FoundObject) -> bool:
    """Return whether the controller hands policies to the nodes' agents; it does not by default.

    https://github.com/aws/amazon-vpc-cni-k8s/blob/v1.23.0/config/master/aws-k8s-cni.yaml
    """
    data = config_map.get("data", {})
    return bool(data.get("enable-network-policy-controller") == "true")


def _label_values(_: Cluster, name: str, pool: Pool, hardware: NodeHardware) -> LabelNames:
    machines = [one for one in (hardware.machine, *hardware.larger) if one is not None]
    each = [machine_labels(one, hardware.model, EKS.gpu_labels) for one in machines]
    known = {key: tuple(dict.fromkeys(one[key] for one in each)) for key in (each or [{}])[0]}
    return {"node_pool": node_pool_names(name, pool.nodes), **known}


def _unsold(cluster: Cluster, _: Pool) -> tuple[Purchase, ...]:
    by_eksctl = cluster.eks is not None and cluster.eks.provisioner is EksProvisioner.EKSCTL
    return (Purchase.CAPACITY_BLOCK,) if by_eksctl else ()


_VPC_CNI = EngineSign("amazon-vpc-cni", api_version="v1", kind="ConfigMap", shows=_is_switched_on)
"""As its add-on and its chart write it, and as EKS Auto Mode reads it
(https://docs.aws.amazon.com/eks/latest/userguide/auto-net-pol.html)."""

EKS = ProviderDefinition(
    **facts_of(Provider.EKS),
    pool_name=_pool_name,
    provisioners={
        EksProvisioner.KARPENTER: Provisioner(
            objects=karpenter_pools,
            wave=Wave.NODES,
            namespace=NODE_POOLS_NAMESPACE,
            # Of the buffers, which pools with warm nodes have.
            namespaces=(NODE_POOLS_NAMESPACE,),
            # https://karpenter.sh/v1.14/concepts/nodepools/#spectemplatespecstartuptaints
            takes_startup_taints=True,
            keeps_idle=True,
            mixes_machines=True,
            falls_back=True,
            remedy=Remedy.REPLACE,
        ),
        # No API of the cluster makes node groups: a person applies it.
        EksProvisioner.EKSCTL: Provisioner(
            objects=node_groups,
            wave=Wave.NODES,
            namespace="default",
            component="bootstrap",
            has_placeholders=True,
            # The autoscaler is one's own, and is told of them.
            takes_startup_taints=True,
            mixes_machines=True,
            is_synced=False,
        ),
    },
    network_policy_engines={
        NetworkPolicyEngine.VPC_CNI: (_VPC_CNI,),
        NetworkPolicyEngine.CALICO: CALICO,
        NetworkPolicyEngine.CILIUM: CILIUM,
    },
    addressed_pods=addressed_pods,
    most_disk=most_disk,
    joins_disks=joins_local_disks,
    label_values=_label_values,
    unsold=_unsold,
    checks=(
        checks.check_eksctl,
        checks.check_image_release,
        checks.check_node_repair,
        checks.check_node_role,
        checks.check_numa,
        checks.check_pod_addresses,
        checks.check_reservation,
        checks.check_vpc,
    ),
)
