"""Managed node groups on EKS, which a person makes with eksctl."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.eks.ec2_node_class import ROOT_VOLUME_GIB
from charts_py.spec.cluster import Cluster
from charts_py.spec.driver import DriverOwner
from gpus.interconnect import Interconnect
from gpus.purchase import Purchase

# For GPUs eksctl takes the variant of Amazon Linux with driver and toolkit; the GPU operator
# installs a driver on Ubuntu alone: https://github.com/NVIDIA/gpu-operator/issues/686.
_IMAGE_FAMILIES: Mapping[DriverOwner, str] = {
    DriverOwner.IMAGE: "AmazonLinux2023",
    DriverOwner.OPERATOR: "Ubuntu2404",
}


@dataclass(frozen=True, slots=True)
class NodeGroupsProps:
    """The pools of an EKS cluster."""

    cluster_name: str
    region: str
    kubernetes: str
    driver_owner: DriverOwner
    pools: tuple[PlatformPool, ...]


class NodeGroups(Construct):
    """One ClusterConfig with a managed node group a pool; eksctl makes their IAM roles.

    `eksctl create nodegroup --config-file` applies it. https://schema.eksctl.io/
    """

    def __init__(self, scope: Construct, id: str, props: NodeGroupsProps) -> None:
        super().__init__(scope, id)
        family = _IMAGE_FAMILIES[props.driver_owner]
        body = {
            # eksctl takes no labels here, and wants to know where the cluster is.
            "metadata": {
                "name": props.cluster_name,
                "region": props.region,
                "version": props.kubernetes,
            },
            "managedNodeGroups": [_node_group(pool, family) for pool in props.pools],
        }
        metadata = ObjectMeta(props.cluster_name)
        add_object(self, "eksctl.io/v1alpha5", "ClusterConfig", metadata, body)


def _node_group(pool: PlatformPool, image_family: str) -> dict[str, object]:
    return {
        "name": pool.name,
        "instanceTypes": [pool.instance_type],
        "amiFamily": image_family,
        "labels": dict(pool.facts.labels),
        "taints": taint_objects(pool.own_taints),
        "minSize": pool.min_nodes,
        "desiredCapacity": pool.min_nodes,
        "maxSize": pool.spec.nodes.max,
        "maxPodsPerNode": pool.spec.max_pods,
        "privateNetworking": True,
        "volumeSize": ROOT_VOLUME_GIB,
        "volumeEncrypted": True,
        # The cluster autoscaler reads them there when the group has no node.
        "propagateASGTags": True,
        **_purchase(pool),
        **({"availabilityZones": list(pool.spec.zones)} if pool.spec.zones else {}),
        **({"efaEnabled": True} if pool.hardware.interconnect is Interconnect.EFA else {}),
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


def _props(cluster: Cluster, platform: Platform) -> NodeGroupsProps:
    assert cluster.eks is not None  # noqa: S101 # checked when the file was read
    return NodeGroupsProps(
        cluster_name=cluster.eks.cluster_name,
        region=cluster.region,
        kubernetes=cluster.kubernetes.value,
        driver_owner=platform.driver_owner,
        pools=platform.pools,
    )


def construct(platform: Platform) -> Callable[[Construct], object]:
    """Return what adds the ClusterConfig."""
    props = _props(platform.cluster, platform)
    return lambda scope: NodeGroups(scope, "node-groups", props)
