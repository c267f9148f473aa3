"""What the machines of a pool on EKS are made of, for Karpenter."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.eks.ec2_network import network_interfaces
from charts_py.providers.eks.node_disks import JOINED, ROOT_VOLUME_GIB, joins_local_disks
from charts_py.providers.eks.node_image import NodeImage, node_image
from gpus.platform_names import POOL

# A hop limit of 1 keeps pods away from the node's credentials.
# https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html
_METADATA_OPTIONS = {
    "httpEndpoint": "enabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}


def ec2_node_class(pool: PlatformPool, platform: Platform) -> Document:
    """Return the EC2NodeClass of a pool."""
    eks, architecture = platform.cluster.eks, pool.hardware.model.host_architecture
    assert eks is not None  # noqa: S101 # checked when the file was read
    image = node_image(platform, architecture)
    discovery = {"karpenter.sh/discovery": eks.cluster_name}
    spec: dict[str, object] = {
        **image.selection,
        "role": eks.node_role,
        "subnetSelectorTerms": [{"tags": discovery}],
        "securityGroupSelectorTerms": [{"tags": discovery}],
        "kubelet": {"maxPods": pool.max_pods},
        "blockDeviceMappings": [_root_volume(image)],
        "metadataOptions": _METADATA_OPTIONS,
        "tags": {POOL: pool.name},
        **dict(_optional(pool, platform)),
    }
    return object_of("karpenter.k8s.aws/v1", "EC2NodeClass", ObjectMeta(pool.name), {"spec": spec})


def _optional(pool: PlatformPool, platform: Platform) -> Iterator[tuple[str, object]]:
    if pool.spec.reservation is not None:
        yield "capacityReservationSelectorTerms", [{"id": pool.spec.reservation}]
    if interfaces := network_interfaces(pool.hardware):
        yield "networkInterfaces", interfaces
    if joins_local_disks(pool, platform):
        yield "instanceStorePolicy", JOINED


def _root_volume(image: NodeImage) -> dict[str, object]:
    volume = {
        "volumeSize": f"{ROOT_VOLUME_GIB}Gi",
        "volumeType": "gp3",
        "encrypted": True,
        "deleteOnTermination": True,
    }
    return {"deviceName": image.root_device, "rootVolume": True, "ebs": volume}
