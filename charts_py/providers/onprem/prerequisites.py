"""What a cluster of one's own machines has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

PREREQUISITES = (
    Prerequisite(
        name="Machines that are nodes, with the GPUs, CPUs and memory that their pool states",
        without="Node Feature Discovery labels none of them: pods of the pool stay Pending",
    ),
    Prerequisite(
        name="An operating system that NVIDIA makes driver containers for "
        "([documentation](https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/platform-support.html))",
        needed="where `driver.owner` is `operator`",
        without="the driver's image is not found: the sync ends, and no node offers GPUs",
    ),
    Prerequisite(
        name="NVIDIA's driver on the machines, of a version that drives their GPUs, and with "
        "NVSwitch its Fabric Manager of the same version",
        needed="where `driver.owner` is `image`",
        without="no node offers GPUs; without Fabric Manager, CUDA does not start on them",
    ),
    Prerequisite(
        name="The kernel module `amdgpu` on machines with AMD GPUs "
        "([documentation](https://instinct.docs.amd.com/projects/gpu-operator/en/main/drivers/installation.html))",
        needed="for pools of AMD GPUs",
        without="AMD's device plugin waits for it in its init container, and no node offers GPUs",
    ),
    Prerequisite(
        name="`maxPods` in the configuration of a machine's kubelet, as its pool states",
        needed="where a pool states `maxPods`",
        checked="the pool's is enough for the shares of its GPUs; the kubelet's is not verified",
        without="110 pods at most: more that share GPUs stay Pending, with `Too many pods`",
    ),
    Prerequisite(
        name="Nodes that are cordoned and drained before a version with other `sharing` of their "
        "pool goes live ([how](versions.md#share-the-gpus-of-your-own-machines-in-another-way))",
        needed="where GPUs are, or were, partitioned by MIG",
        without="a GPU that is in use keeps its layout, the node's label "
        "`nvidia.com/mig.config.state` says `failed`, and nothing tries again",
    ),
    Prerequisite(
        name="A network driver on the machines, such as DOCA-OFED or the kernel's own",
        needed="for pools that talk over InfiniBand or RoCE",
        without="the driver's pods wait for it, or NCCL falls back to TCP",
    ),
)
