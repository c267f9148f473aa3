"""What the platform must know about the place where a cluster runs."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from charts_py.cluster_file.strict_model import Refused, StrictModel
from gpus.instance_type import Interconnect


class EksProvisioner(StrEnum):
    """What creates nodes on EKS."""

    KARPENTER = "karpenter"
    EKSCTL = "eksctl"


class GkeProvisioner(StrEnum):
    """What creates nodes on GKE."""

    CONFIG_CONNECTOR = "config-connector"
    COMPUTE_CLASS = "compute-class"


def _not_auto_mode(name: Any) -> Any:
    """Refuse EKS Auto Mode by its name.

    Its Karpenter has a NodeClass of its own (https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html)
    and no NodeOverlay (https://github.com/aws/containers-roadmap/issues/2690).
    """
    if isinstance(name, str) and re.fullmatch("(eks-?)?auto(-?mode)?", name.lower()):
        what = f'"{name}": EKS Auto Mode has no EC2NodeClass, and no NodeOverlay for shared GPUs'
        raise Refused(what, ", ".join(EksProvisioner))
    return name


SubnetId = Annotated[
    str, Field(pattern=r"^subnet-[0-9a-f]{8,17}$", examples=["subnet-0123456789abcdef0"])
]
"""A subnet, as EC2 names it."""


class EksVpc(StrictModel):
    """The VPC of an EKS cluster that eksctl did not make."""

    id: str = Field(pattern=r"^vpc-[0-9a-f]{8,17}$", examples=["vpc-0123456789abcdef0"])
    """The VPC."""
    security_group: str = Field(pattern=r"^sg-[0-9a-f]{8,17}$", examples=["sg-0123456789abcdef0"])
    """Security group of the control plane."""
    subnets: dict[str, SubnetId] = Field(min_length=2)
    """Private subnets of the nodes, by zone; eksctl wants two at least."""


class EksSettings(StrictModel):
    """The EKS cluster that the nodes join."""

    cluster_name: str = Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}$", examples=["training"])
    """Name of the EKS cluster; its subnets and security groups are found by the tag
    `karpenter.sh/discovery` with this value."""
    account: str | None = Field(
        default=None,
        pattern=r"^[0-9]{12}$",
        examples=["123456789012"],
        exclude_if=lambda value: value is None,
    )
    """AWS account of the cluster, quoted. By it, two files of clusters with the same name in the
    same region are known to be of two clusters, or of one, which is refused."""
    node_role: str | None = Field(
        default=None, pattern=r"^[A-Za-z0-9_+=,.@-]{1,64}$", examples=["training-gpu-nodes"]
    )
    """Name of the IAM role that nodes of Karpenter assume; eksctl makes one for each node group."""
    image_release: str | None = Field(
        default=None,
        pattern=r"^([0-9]+\.[0-9]+\.[0-9]+-20[0-9]{6}|20[0-9]{6}(\.[0-9]+)?)$",
        examples=["1.35.6-20260714"],
    )
    """Release of the machine image that nodes start from: of Amazon Linux, such as
    `1.35.6-20260714` (https://github.com/awslabs/amazon-eks-ami/releases), which defaults to the
    newest that is known for the Kubernetes version; or the serial of Canonical's Ubuntu, such as
    `20260709`, where the GPU operator owns the driver. Nodes of Karpenter change their image
    when this does, and those of Amazon Linux with the minor version of the control plane, too;
    those of eksctl when a person upgrades their group."""
    prefix_delegation: bool = False
    """Whether the Amazon VPC CNI gives pods addresses by prefix, as its `ENABLE_PREFIX_DELEGATION`
    says and IPv6 requires: 16 in the place of each. Without it a node holds as many pods as its
    instance type has addresses for, such as 51 on a p5.48xlarge with EFA."""
    provisioner: Annotated[EksProvisioner, BeforeValidator(_not_auto_mode)] = (
        EksProvisioner.KARPENTER
    )
    """`karpenter` emits NodePools and EC2NodeClasses that Argo CD syncs; `eksctl` emits one
    ClusterConfig of managed node groups under `bootstrap/`, which a person applies. EKS Auto Mode
    is neither: it has no EC2NodeClass, nor the NodeOverlay that a pool with shared GPUs needs."""
    node_repair: bool = False
    """Whether EKS replaces or reboots nodes that its node monitoring agent, an add-on, has found
    unhealthy, GPUs included; only with eksctl, and for node groups that it makes from then on."""
    vpc: EksVpc | None = None
    """Where the nodes of eksctl are made, required where eksctl did not make the cluster: it looks
    this up for its own clusters alone."""


_GOOGLE_NAME = r"^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$"
"""https://cloud.google.com/compute/docs/naming-resources"""


class GkeNetwork(StrictModel):
    """A network that the machines of a node pool have an interface of their own in."""

    network: str = Field(pattern=_GOOGLE_NAME, examples=["gpu-net-0"])
    """Name of the VPC network, in the cluster's project."""
    subnetwork: str = Field(pattern=_GOOGLE_NAME, examples=["gpu-sub-0"])
    """Name of its subnetwork in the cluster's region."""
    object: str | None = Field(
        default=None,
        pattern=_GOOGLE_NAME,
        examples=["rdma-0"],
        exclude_if=lambda value: value is None,
    )
    """Name of the `Network` object of the cluster for it (`networking.gke.io/v1`), which whoever
    made the network has made, too. Where all that a pool takes have one, its training jobs have an
    interface in each; else they talk over TCP."""


class GkeSettings(StrictModel):
    """The GKE cluster that the node pools belong to."""

    project: str = Field(pattern=r"^[a-z][a-z0-9-]{4,28}[a-z0-9]$", examples=["example-inference"])
    """Google Cloud project."""
    cluster_name: str = Field(pattern=r"^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$", examples=["inference"])
    """Name of the GKE cluster."""
    location: str = Field(min_length=1, examples=["us-central1"])
    """Region or zone of the control plane."""
    provisioner: GkeProvisioner = GkeProvisioner.CONFIG_CONNECTOR
    """`config-connector` emits a ContainerNodePool per pool; `compute-class` emits a ComputeClass
    per pool, from which GKE creates the node pools itself. A class has no size: `nodes.min` and
    `nodes.warm` must be 0 there, and only the quotas keep the nodes within `nodes.max`."""
    networks: dict[Interconnect, tuple[GkeNetwork, ...]] = Field(default_factory=dict)
    """Networks that GPUs of different nodes talk over, by the `interconnect` of the pools, in the
    order of the interfaces: 4 for `gpudirect-tcpx`, 8 for `gpudirect-tcpxo`, and for `roce` one of
    gVNIC and one for each RDMA interface, which are of one zone, as all pools with `roce` are then.
    Without them a pool has the interconnect `ethernet`. GKE makes those of a `compute-class` by
    itself."""
    workload_policy: str | None = Field(
        default=None, pattern=_GOOGLE_NAME, examples=["a4x-workload-policy"]
    )
    """Name of the workload policy, of the topology `1x72`, by which the nodes of a pool of racks,
    such as A4X, stand in one NVLink domain."""


class AksUpgrade(StrictModel):
    """How AKS upgrades the nodes of the agent pools."""

    max_surge: str = Field(
        default="1", pattern=r"^([1-9][0-9]{0,2}|[1-9][0-9]?%|100%)$", examples=["1"]
    )
    """Nodes that AKS adds to a pool while it upgrades it: a number, or a percentage of the pool.
    They need quota and capacity of the pool's instance type, also in its reservation; without
    them, the upgrade fails."""
    drain_timeout_minutes: int = Field(default=60, ge=1, le=1440)
    """Minutes that the pods of a node have to end or move, as their disruption budgets allow;
    after that, the upgrade fails."""


class AksSettings(StrictModel):
    """The AKS cluster that the agent pools belong to."""

    subscription: str = Field(
        pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        examples=["00000000-0000-0000-0000-000000000000"],
    )
    """Azure subscription."""
    resource_group: str = Field(pattern=r"^[\w().-]{1,89}[\w()-]$", examples=["gpu-platform"])
    """Resource group of the managed cluster."""
    cluster_name: str = Field(
        pattern=r"^[a-zA-Z0-9]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?$", examples=["mixed"]
    )
    """Name of the managed cluster."""
    upgrade: AksUpgrade = AksUpgrade()
    """How the nodes are upgraded, except those of spot pools, where AKS neither adds nor drains
    nodes."""
