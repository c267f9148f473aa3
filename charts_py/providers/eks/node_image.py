"""The machine images that nodes on EKS start from, each of one release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from charts_py.cluster_file.driver import DriverOwner
from charts_py.platform.platform import Platform
from upstream.kubernetes_version import KubernetesVersion

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
    """Return the release of Amazon Linux, such as `1.35.6-20260714`."""
    assert platform.cluster.eks is not None  # noqa: S101 # checked when the file was read
    return platform.cluster.eks.image_release or NEWEST_RELEASES[platform.cluster.kubernetes]


def node_image(platform: Platform, architecture: str) -> NodeImage:
    """Return the image for machines of a CPU architecture, as `kubernetes.io/arch` names it."""
    return _IMAGES[platform.driver_owner](platform, architecture)


def _accelerated_image(platform: Platform, _: str) -> NodeImage:
    """Return Amazon Linux 2023; for GPUs Karpenter takes its variant with driver and toolkit.

    `latest` in the place of a release would drift every node whenever Amazon publishes an image:
    https://karpenter.sh/v1.14/concepts/nodeclasses/#specamiselectorterms
    """
    date = amazon_linux_release(platform).rpartition("-")[2]
    terms = [{"alias": f"al2023@v{date}"}]
    return NodeImage({"amiSelectorTerms": terms}, "/dev/xvda")


def _plain_image(platform: Platform, architecture: str) -> NodeImage:
    """Return Canonical's Ubuntu for EKS, which carries no driver.

    The GPU operator has no driver containers for Amazon Linux
    (https://github.com/NVIDIA/gpu-operator/issues/686). Karpenter boots Ubuntu as the family AL2,
    with block devices that are stated (https://karpenter.sh/v1.14/concepts/nodeclasses/#specamifamily).
    """
    cluster = platform.cluster
    assert cluster.eks is not None  # noqa: S101 # checked when the file was read
    parameter = (
        f"/aws/service/canonical/ubuntu/eks/24.04/{cluster.kubernetes}/stable/"
        f"{cluster.eks.image_release}/{architecture}/hvm/ebs-gp3/ami-id"
    )
    selection = {"amiFamily": "AL2", "amiSelectorTerms": [{"ssmParameter": parameter}]}
    return NodeImage(selection, "/dev/sda1")


_IMAGES: Mapping[DriverOwner, Callable[[Platform, str], NodeImage]] = {
    DriverOwner.IMAGE: _accelerated_image,
    DriverOwner.OPERATOR: _plain_image,
}
