"""What a cluster on EKS has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

_STOPS = "nodes are never created, and the waves after them never start"

PREREQUISITES = (
    Prerequisite(
        name="Karpenter 1.14, or 1.15 on Kubernetes 1.37, with the feature gates `StaticCapacity`, "
        "`NodeOverlay` and `CapacityBuffer`",
        needed="unless `eks.provisioner` is `eksctl`",
        without=_STOPS,
    ),
    Prerequisite(
        name="Karpenter's `PREFERENCE_POLICY: Ignore` "
        "([documentation](https://karpenter.sh/v1.14/reference/settings/))",
        needed="for pools of inference, unless `eks.provisioner` is `eksctl`",
        without="each replica of a service gets a node of its own, and keeps it",
    ),
    Prerequisite(
        name="A queue of interruptions, named by Karpenter's `settings.interruptionQueue` "
        "([documentation](https://karpenter.sh/v1.14/concepts/disruption/#interruption))",
        needed="for pools with `purchase: spot`, unless `eks.provisioner` is `eksctl`",
        without="EC2 takes machines back while their pods run on, without the two minutes' notice",
    ),
    Prerequisite(
        name="One instance more in a capacity reservation than its pool's `nodes.max`",
        needed="for pools with `purchase: reserved`, unless `eks.provisioner` is `eksctl`",
        without="nodes of a full reservation keep their image until a person deletes them",
    ),
    Prerequisite(
        name="Subnets and security groups with the tag `karpenter.sh/discovery: <eks.clusterName>`",
        needed="unless `eks.provisioner` is `eksctl`",
        without=f"an EC2NodeClass finds none and is not ready: {_STOPS}",
    ),
    Prerequisite(
        name="An access entry of the type EC2_LINUX for the IAM role `eks.nodeRole` "
        "([documentation](https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html))",
        needed="unless `eks.provisioner` is `eksctl`",
        without="machines start and never become nodes",
    ),
    Prerequisite(
        name="Node groups made from `bootstrap/` by `eksctl create nodegroup "
        "--install-nvidia-plugin=false --config-file`",
        needed="where `eks.provisioner` is `eksctl`",
        without="there are no nodes; without the flag eksctl installs a second device plugin, and "
        "GPUs that are shared, cut by MIG or allocated by DRA are given out whole as well",
    ),
    Prerequisite(
        name="A cluster that eksctl made, or `eks.vpc`",
        needed="where `eks.provisioner` is `eksctl`",
        without="eksctl ends with `VPC configuration required` and makes no node group",
    ),
    Prerequisite(
        name="A cluster autoscaler, with the permission `eks:DescribeNodegroup`",
        needed="where `eks.provisioner` is `eksctl`",
        without="there are no more nodes than each pool's minimum",
    ),
    Prerequisite(
        name="Prefix delegation of the VPC CNI, `ENABLE_PREFIX_DELEGATION: true` "
        "([documentation](https://docs.aws.amazon.com/eks/latest/userguide/cni-increase-ip-addresses.html))",
        needed="where the interfaces of an instance type have fewer addresses than `maxPods`",
        without="pods beyond them stay in ContainerCreating, without an address",
    ),
    Prerequisite(
        name="A security group that lets its own members send and receive everything among them "
        "([documentation](https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html))",
        needed="for pools that talk over EFA",
        without="jobs of several nodes hang in NCCL when they start",
    ),
)
