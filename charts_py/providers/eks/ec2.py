"""The image, disks, network interfaces and pod addresses of nodes on EKS."""

from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.provider import EksProvisioner, EksSettings
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.provider_facts import NodeHardware
from gpus.instance_type import Interconnect
from upstream.kubernetes_version import KubernetesVersion

ROOT_VOLUME_GIB = 200
"""Size of the root volume in GiB: images of training frameworks take 10 to 20 GB each."""
_FOR_PODS = 0.85
"""The part of a disk that pods get: the kubelet keeps a tenth free (`nodefs.available`), and its
reserve of 1 GiB (https://github.com/awslabs/amazon-eks-ami nodeadm/internal/kubelet/config.go) and
the file system take less than the rest."""
_ON_HOST_NETWORK = 2
"""Pods on every node that need no address: kube-proxy and the CNI itself."""
_ADDRESSES_OF_PREFIX = 16
"""Addresses of a prefix, which takes the place of one."""
NEWEST_RELEASES: Mapping[KubernetesVersion, str] = {
    KubernetesVersion.V1_33: "1.33.13-20260714",
    KubernetesVersion.V1_34: "1.34.9-20260714",
    KubernetesVersion.V1_35: "1.35.6-20260714",
    KubernetesVersion.V1_36: "1.36.2-20260714",
}
"""The newest known release of Amazon Linux for EKS, by Kubernetes version.

Source: https://github.com/awslabs/amazon-eks-ami, CHANGELOG.md, "Release version".
"""


@dataclass(frozen=True, slots=True)
class NodeImage:
    """A machine image, and how Karpenter boots it."""

    selection: Mapping[str, object]
    """The fields that find it: `amiSelectorTerms`, and `amiFamily` where those do not imply it."""
    root_device: str


def amazon_linux_release(platform: Platform) -> str:
    assert platform.cluster.eks is not None  # noqa: S101 # checked when the file was read
    return platform.cluster.eks.image_release or NEWEST_RELEASES[platform.cluster.kubernetes]


def node_image(platform: Platform, architecture: str) -> NodeImage:
    """Return the image for machines of a CPU architecture, as `kubernetes.io/arch` names it.

    It is Amazon Linux 2023, of which Karpenter takes the variant with driver and toolkit for GPUs;
    `latest` in the place of a release would drift every node whenever Amazon publishes an image:
    https://karpenter.sh/v1.14/concepts/nodeclasses/#specamiselectorterms

    The GPU operator has no driver containers for it
    (https://github.com/NVIDIA/gpu-operator/issues/686): where that owns the driver, the image is
    Canonical's Ubuntu for EKS, which carries none. Karpenter boots Ubuntu as the family AL2,
    with block devices that are stated (https://karpenter.sh/v1.14/concepts/nodeclasses/#specamifamily).
    """
    if platform.driver_owner is DriverOwner.IMAGE:
        date = amazon_linux_release(platform).rpartition("-")[2]
        return NodeImage({"amiSelectorTerms": [{"alias": f"al2023@v{date}"}]}, "/dev/xvda")
    cluster = platform.cluster
    assert cluster.eks is not None  # noqa: S101 # checked when the file was read
    parameter = (
        f"/aws/service/canonical/ubuntu/eks/24.04/{cluster.kubernetes}/stable/"
        f"{cluster.eks.image_release}/{architecture}/hvm/ebs-gp3/ami-id"
    )
    selection = {"amiFamily": "AL2", "amiSelectorTerms": [{"ssmParameter": parameter}]}
    return NodeImage(selection, "/dev/sda1")


def network_interfaces(hardware: NodeHardware) -> list[dict[str, object]]:
    """Return the interfaces for an EC2NodeClass; none where the nodes do not use EFA.

    The primary one carries IP; beside it every card has one for EFA alone, the device 1 of the
    primary's card and 0 of any other.
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html
    """
    if hardware.interconnect is not Interconnect.EFA:
        return []
    first = hardware.machine.rdma_first_card if hardware.machine else 0
    cards = range(first, first + hardware.interconnect_interfaces)
    return [
        _interface(card=0, device=0, interface_type="interface"),
        *(_interface(card, 1 if card == 0 else 0, "efa-only") for card in cards),
    ]


def _interface(card: int, device: int, interface_type: str) -> dict[str, object]:
    return {"networkCardIndex": card, "deviceIndex": device, "interfaceType": interface_type}


def joins_local_disks(hardware: NodeHardware, owner: DriverOwner) -> bool:
    """Return whether pods, images and logs are on the local disks, joined at boot.

    Amazon Linux can do that, which is the image unless the GPU operator owns the driver.
    """
    return hardware.local_nvme_gib > 0 and owner is DriverOwner.IMAGE


def disk_for_pods_gib(pool: PlatformPool, platform: Platform) -> int:
    """Return the GiB that a node offers as `ephemeral-storage`, rounded down."""
    is_joined = joins_local_disks(pool.hardware, platform.driver_owner)
    disk = pool.hardware.local_nvme_gib if is_joined else ROOT_VOLUME_GIB
    return int(disk * _FOR_PODS)


def most_disk(hardware: NodeHardware, owner: DriverOwner) -> int:
    """Return the most bytes that a node offers as `ephemeral-storage`: file systems take more.

    The kubelet keeps a tenth free, and 1 GiB.
    """
    local = [hardware.local_nvme_gib, *(each.local_nvme_gib for each in hardware.larger)]
    disk = max(local) if joins_local_disks(hardware, owner) else ROOT_VOLUME_GIB
    return disk * 2**30 * 9 // 10 - 2**30


def addressed_pods(cluster: Cluster, hardware: NodeHardware) -> int | None:
    """Return how many pods a node has addresses for; None where its interfaces are not known.

    The CNI uses the first network card alone, and an interface for EFA alone has no address.
    https://github.com/aws/amazon-vpc-cni-k8s (scripts/gen_vpc_ip_limits.go) and `ENILimitedPods` of
    https://github.com/aws/karpenter-provider-aws (pkg/providers/instancetype/types.go)
    """
    machine = hardware.machine
    if cluster.eks is None or machine is None or machine.pod_interfaces == 0:
        return None
    interfaces = machine.pod_interfaces - _without_address(cluster.eks, hardware)
    secondary = machine.interface_addresses - 1
    per_address = _ADDRESSES_OF_PREFIX if cluster.eks.prefix_delegation else 1
    return interfaces * secondary * per_address + _ON_HOST_NETWORK


def _without_address(eks: EksSettings, hardware: NodeHardware) -> int:
    """Return how many interfaces of the first network card are for EFA alone.

    eksctl makes the primary interface one of EFA with addresses, and adds none beside it
    (https://github.com/eksctl-io/eksctl pkg/cfn/builder/network_interfaces.go, v0.230.0).
    """
    if eks.provisioner is EksProvisioner.EKSCTL:
        return 0
    return sum(
        (interface["networkCardIndex"], interface["interfaceType"]) == (0, "efa-only")
        for interface in network_interfaces(hardware)
    )
