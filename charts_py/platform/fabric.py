"""Pods get what they need to use the network between nodes, and their share of a node.

It holds for pods that take all GPUs of a node. Huge pages are left out; libfabric has a setting to
do without them. An autoscaler knows of no huge pages on a node that it has not started, so that a
pod that asks for some would start no node.

Sources
- EFA: `efa-cheatsheet.md` in https://github.com/aws-samples/awsome-distributed-training
  (1.architectures at 7217859f) and
  https://karpenter.sh/v1.14/reference/instance-types/
- EFA and InfiniBand, `IPC_LOCK`, and the network interface by which NCCL starts:
  https://github.com/NVIDIA/aicr/blob/2b2307c5/docs/user/fabric-attached-training.md
- NVLink domains: `nccl-tests-gb200.yaml` in https://github.com/aws-samples/awsome-distributed-training
  (micro-benchmarks/nccl-tests/kubernetes at 7217859f)
- Names and images of runtimes that jobs share: https://github.com/kubeflow/trainer at v2.3.0
  (pkg/constants and charts/kubeflow-trainer/files/runtimes)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.provider_facts import FIRST_INTERFACE, ProviderFacts
from gpus.instance_type import Interconnect
from gpus.model import NVIDIA
from gpus.sharing import SharingKind
from policies.settings import EFA_RESOURCE

API_VERSION = "trainer.kubeflow.org/v1alpha1"
NODE = "node"
"""The job of a runtime whose pods compute, and the container of its pods that Trainer changes."""
LAUNCHER = "launcher"
"""The job of a runtime of MPI that starts the processes, and computes, too."""
GRACE_SECONDS = 120
"""Seconds from SIGTERM to SIGKILL, for a last checkpoint: EC2 takes a spot node as long after its
notice
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html)."""
_SEVERAL = 2
_IMAGES = {
    Framework.TORCH: "docker.io/pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
    Framework.DEEPSPEED: "ghcr.io/kubeflow/trainer/deepspeed-runtime:v2.3.0",
    Framework.JAX: "nvcr.io/nvidia/jax:25.10-py3",
}
CHANNEL_TEMPLATE = "nvlink-channel"
"""The ResourceClaimTemplate by which pods claim a channel of a ComputeDomain: a name that their
templates and the ComputeDomain have to agree on."""
CHANNEL_CLASS = "compute-domain-default-channel.nvidia.com"
"""The DeviceClass of these channels (https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu,
templates/deviceclass-compute-domain-default-channel.yaml)."""
_CPU_PERCENT, _MEMORY_PERCENT = 90, 85
"""Pods get these parts of a machine. Of the memory of an EC2 instance Karpenter counts 8 % as lost
to the hypervisor and the kubelet; the daemons of a GPU node need the rest."""
_SMALL, _MEMORY_PERCENT_OF_SMALL = 32 * 2**30, 75
"""Bytes up to which a machine is small. Of 16 GiB, GKE keeps 2.7 for itself; of 28, AKS keeps 5
for 250 pods:
https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_reservations and
https://learn.microsoft.com/azure/aks/node-resource-reservations#memory-reservations"""


@dataclass(frozen=True, slots=True)
class Fabric:
    """A pod that takes all GPUs of a node needs this beyond these to use the pool's network."""

    resources: Mapping[str, int] = field(default_factory=dict)
    """Extended resources, as requests and limits of the container with the GPUs."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables of that container."""
    capabilities: tuple[str, ...] = ()
    """Linux capabilities of that container. Only the Pod Security level `privileged` allows
    `IPC_LOCK`."""
    claims_channel: bool = False
    """Whether pod and container claim a channel of a ComputeDomain, by `CHANNEL_TEMPLATE`."""
    missing: str | None = None
    """Why the pods talk over TCP instead, where a network is there that they cannot use."""


@dataclass(frozen=True, slots=True)
class NodeShare:
    """The part of a node's allocatable CPU and memory that belongs to some of its GPUs."""

    cpu: int
    """Whole CPUs."""
    memory_gib: int


def is_whole(pool: PlatformPool) -> bool:
    return pool.facts.sharing.kind is SharingKind.NONE


def node_share(pool: PlatformPool, gpus: int) -> NodeShare:
    """Return what pods with so many GPUs of a node can ask for, beside its daemons; at least 1."""
    hardware = pool.hardware
    percent = _MEMORY_PERCENT if hardware.memory > _SMALL else _MEMORY_PERCENT_OF_SMALL
    cpu = hardware.cpu * _CPU_PERCENT * gpus // (hardware.gpus * 100)
    memory_gib = hardware.memory * percent * gpus // (hardware.gpus * 100 * 2**30)
    return NodeShare(max(cpu, 1), max(memory_gib, 1))


def fabric(platform: Platform, pool: PlatformPool) -> Fabric:
    network = _network(platform, pool)
    if not has_channels(platform, pool):
        return network
    environment = {**network.environment, "NCCL_MNNVL_ENABLE": "1"}
    return replace(network, environment=environment, claims_channel=True)


def has_channels(platform: Platform, pool: PlatformPool) -> bool:
    """Return whether NVLink joins the machines of a pool, and its pods can claim a channel."""
    cluster, model = platform.cluster, pool.hardware.model
    if model.vendor != NVIDIA or model.nvlink_domain is None:
        return False
    return cluster.addons.compute_domains and has(cluster.kubernetes, Feature.RESOURCE_CLAIMS)


def joins_machines(platform: Platform) -> bool:
    return any(has_channels(platform, pool) for pool in platform.pools)


def _network(platform: Platform, pool: PlatformPool) -> Fabric:
    match pool.hardware.interconnect:
        case Interconnect.ETHERNET:
            return Fabric()
        case Interconnect.EFA:
            return _efa(pool)
        case Interconnect.GPUDIRECT_TCPX | Interconnect.GPUDIRECT_TCPXO:
            return Fabric(missing="GPUDirect needs a daemon in each pod, of the plugin's version")
        case Interconnect.ROCE | Interconnect.INFINIBAND:
            return _rdma(platform.provider, pool)


def _efa(pool: PlatformPool) -> Fabric:
    interfaces = pool.hardware.interconnect_interfaces
    if interfaces == 0:
        return Fabric(missing="the number of EFA interfaces is not known; hardware describes it")
    return Fabric(
        resources={EFA_RESOURCE: interfaces},
        environment={
            "FI_PROVIDER": "efa",
            "FI_EFA_FORK_SAFE": "1",
            "FI_EFA_USE_HUGE_PAGE": "0",
            **FIRST_INTERFACE,
        },
        capabilities=("IPC_LOCK",),
    )


def _rdma(provider: ProviderFacts, pool: PlatformPool) -> Fabric:
    """Return what NCCL's own verbs need, by a device plugin that the platform does not install."""
    if provider.no_rdma_plugin is not None:
        return Fabric(missing=provider.no_rdma_plugin)
    if pool.spec.rdma_resource is None:
        return Fabric(missing="rdmaResource does not name what its device plugin offers")
    return Fabric(
        resources={pool.spec.rdma_resource: pool.spec.rdma_count},
        environment=provider.rdma_environment,
        capabilities=("IPC_LOCK",),
    )


def runtime_name(framework: Framework, pool: PlatformPool) -> str:
    return f"{framework}-{pool.name}"


def runtime_pools(platform: Platform) -> tuple[PlatformPool, ...]:
    """Return the pools that have runtimes: those of whole NVIDIA GPUs, several on a node."""
    return tuple(
        pool
        for pool in platform.pools_of(NVIDIA)
        if is_whole(pool) and pool.facts.gpus_per_node >= _SEVERAL
    )


def runtime_images(trainer: Trainer) -> Mapping[Framework, str]:
    """Return the image of each framework that has runtimes, in the order of frameworks.

    It is that of jobs which name none.
    """
    images = _IMAGES | trainer.images
    return {framework: images[framework] for framework in Framework if framework in images}


def has_launcher(framework: Framework | None) -> bool:
    """Return whether the first of the pods starts the processes of all."""
    return framework in (Framework.MPI, Framework.DEEPSPEED)
