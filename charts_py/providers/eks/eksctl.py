"""Managed node groups on EKS, which a person makes with eksctl.

The cluster autoscaler plans for a group that has no node yet with what EC2 says of the instance
type, with 110 pods and without a disk, unless tags of the group say otherwise: so a pool whose GPUs
are shared under another name, or cut by MIG, would never grow from 0, nor any pool for pods that
ask for `ephemeral-storage`, as the defaults of a namespace with a quota on it make all do. It reads
the tags of the group (with the permission `eks:DescribeNodegroup`) and of its Auto Scaling group.
https://github.com/kubernetes/autoscaler (cluster-autoscaler/cloudprovider/aws/README.md and
`buildNodeFromTemplate` in its aws_manager.go)
"""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.provider import EksVpc
from charts_py.objects.document import Document
from charts_py.objects.pods import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.cluster_autoscaler import corrected_resources, stays_until_empty
from charts_py.providers.eks.ec2 import (
    ROOT_VOLUME_GIB,
    amazon_linux_release,
    disk_for_pods_gib,
    joins_local_disks,
)
from charts_py.providers.eks.node_config import node_config
from charts_py.providers.placeholder import least_nodes
from gpus.instance_type import Interconnect
from gpus.purchase import Purchase
from gpus.sharing import SharingKind
from policies.settings import EFA_RESOURCE

_TEMPLATE = "k8s.io/cluster-autoscaler/node-template"
_ONLY_EMPTY = {
    "ignoredaemonsetsutilization": "true",
    "scaledowngpuutilizationthreshold": "0",
    "scaledownutilizationthreshold": "0",
}
"""Options of a group whose nodes go when nothing is left on them but daemons, which would count as
pods by their CPUs."""
_GPU_LABEL = "k8s.amazonaws.com/accelerator"
# For GPUs eksctl takes the variant of Amazon Linux with driver and toolkit; the GPU operator
# installs a driver on Ubuntu alone: https://github.com/NVIDIA/gpu-operator/issues/686.
_IMAGE_FAMILIES: Mapping[DriverOwner, str] = {
    DriverOwner.IMAGE: "AmazonLinux2023",
    DriverOwner.OPERATOR: "Ubuntu2404",
}


def node_groups(platform: Platform) -> Iterator[Document]:
    """Yield a ClusterConfig with a managed node group for each pool; eksctl makes their IAM roles.

    `eksctl create nodegroup --install-nvidia-plugin=false --config-file` applies it; no field says
    the same as the flag, without which eksctl installs a device plugin beside the GPU operator's.
    https://schema.eksctl.io/ and https://github.com/eksctl-io/eksctl (pkg/eks/tasks.go:
    `ClusterTasksForNodeGroups`, v0.230.0)
    """
    cluster = platform.cluster
    assert cluster.eks is not None  # noqa: S101 # checked when the file was read
    yield {
        "apiVersion": "eksctl.io/v1alpha5",
        "kind": "ClusterConfig",
        # eksctl takes no labels here, and wants to know where the cluster is.
        "metadata": {
            "name": cluster.eks.cluster_name,
            "region": cluster.region,
            "version": cluster.kubernetes.value,
        },
        **({"vpc": _vpc(cluster.eks.vpc)} if cluster.eks.vpc else {}),
        "managedNodeGroups": [_node_group(pool, platform) for pool in platform.pools],
    }


def _vpc(vpc: EksVpc) -> dict[str, object]:
    """Return what eksctl knows of its own clusters, and has to be given of others.

    https://github.com/eksctl-io/eksctl (pkg/actions/nodegroup/create.go: `loadVPCFromConfig`,
    v0.230.0)
    """
    subnets = {zone: {"id": subnet} for zone, subnet in sorted(vpc.subnets.items())}
    return {"id": vpc.id, "securityGroup": vpc.security_group, "subnets": {"private": subnets}}


def _node_group(pool: PlatformPool, platform: Platform) -> dict[str, object]:
    eks, is_amazon_linux = platform.cluster.eks, platform.driver_owner is DriverOwner.IMAGE
    is_joined = joins_local_disks(pool.hardware, platform.driver_owner)
    config = node_config(pool.spec.numa, joins_disks=is_joined)
    startup = platform.contribution.startup_taints.get(pool.name, ())
    return {
        "name": pool.name,
        "instanceTypes": list(pool.instance_types),
        "amiFamily": _IMAGE_FAMILIES[platform.driver_owner],
        # Ubuntu has no release here: eksctl finds its newest when it makes the group.
        **({"releaseVersion": amazon_linux_release(platform)} if is_amazon_linux else {}),
        "labels": dict(sorted((dict(pool.facts.labels) | autoscaler_labels(pool)).items())),
        "tags": autoscaler_tags(pool, platform),
        "taints": taint_objects((*pool.own_taints, *startup)),
        "minSize": least_nodes(pool, platform),
        "desiredCapacity": pool.spec.nodes.kept,
        "maxSize": pool.spec.nodes.max,
        "maxPodsPerNode": pool.max_pods,
        "privateNetworking": True,
        # A hop limit of 1: eksctl's default of 2 hands pods the credentials of the node.
        "disablePodIMDS": True,
        "volumeSize": ROOT_VOLUME_GIB,
        "volumeEncrypted": True,
        # Labels and tags, which the cluster autoscaler reads there when the group has no node.
        "propagateASGTags": True,
        **_purchase(pool),
        # https://docs.aws.amazon.com/eks/latest/eksctl/nodegroup-node-repair-config.html
        **({"nodeRepairConfig": {"enabled": True}} if eks and eks.node_repair else {}),
        **({"availabilityZones": list(pool.spec.zones)} if pool.spec.zones else {}),
        **({"efaEnabled": True} if pool.hardware.interconnect is Interconnect.EFA else {}),
        **({"overrideBootstrapCommand": config} if config else {}),
    }


def _purchase(pool: PlatformPool) -> dict[str, object]:
    if pool.spec.purchase is Purchase.SPOT:
        return {"spot": True}
    if pool.spec.purchase is Purchase.ON_DEMAND:
        return {}
    if pool.spec.reservation is None:
        return {"capacityReservation": {"capacityReservationPreference": "open"}}
    target = {"capacityReservationID": pool.spec.reservation}
    return {"capacityReservation": {"capacityReservationTarget": target}}


def autoscaler_tags(pool: PlatformPool, platform: Platform) -> dict[str, str]:
    """Return the tags with a node's taints, what is not known of its resources, and when it goes.

    eksctl itself tags the labels, and the taints without the effects that they need to be read
    (`GenerateClusterAutoscalerTags` in https://github.com/eksctl-io/eksctl
    pkg/cfn/builder/nodegroup.go, v0.230.0).
    """
    taints = {
        f"{_TEMPLATE}/taint/{taint.key}": f"{taint.value}:{taint.effect}"
        for taint in pool.own_taints
    }
    amounts = _resources(pool, platform)
    resources = {f"{_TEMPLATE}/resources/{name}": amount for name, amount in amounts.items()}
    kept = _ONLY_EMPTY if stays_until_empty(pool) else {}
    options = {f"{_TEMPLATE}/autoscaling-options/{name}": value for name, value in kept.items()}
    return dict(sorted((taints | resources | options).items()))


def autoscaler_labels(pool: PlatformPool) -> dict[str, str]:
    """Return the label by which the autoscaler waits for the GPUs of a new node.

    Until they are advertised it counts the node as unready, rather than adding a second one. Nodes
    that never advertise them by that name would stay unready with it (`NodeHasGpuAllocatable` in
    https://github.com/kubernetes/autoscaler cluster-autoscaler/utils/gpu/gpu.go).
    """
    is_shared = pool.facts.sharing.kind is not SharingKind.NONE
    is_advertised = bool(pool.facts.advertised) and not is_shared
    return {_GPU_LABEL: pool.hardware.model.family} if is_advertised else {}


def _resources(pool: PlatformPool, platform: Platform) -> dict[str, str]:
    resources = corrected_resources(pool) | {
        "ephemeral-storage": f"{disk_for_pods_gib(pool, platform)}Gi",
        "pods": str(pool.max_pods),
    }
    if pool.hardware.interconnect is Interconnect.EFA:
        resources[EFA_RESOURCE] = str(pool.hardware.interconnect_interfaces)
    return resources
