"""Pods get what they need to use the network between nodes, and their share of a node.

It holds for pods that take all GPUs of a node. What each network needs, with its sources, is in
`fabrics.yaml`.

Sources
- EFA interfaces: https://karpenter.sh/v1.14/reference/instance-types/
- NVLink domains: `nccl-tests-gb200.yaml` in https://github.com/aws-samples/awsome-distributed-training
  (micro-benchmarks/nccl-tests/kubernetes at 7217859f)
- Names and images of runtimes that jobs share: https://github.com/kubeflow/trainer at v2.3.0
  (pkg/constants and charts/kubeflow-trainer/files/runtimes)
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.fabric_table import (
    AllReduce,
    Fields,
    MachineRow,
    NcclTests,
    NetworkRow,
    fabric_table,
    machine_row,
    network_row,
)
from charts_py.platform.platform import Platform, PlatformPool
from gpus.instance_type import Interconnect
from gpus.model import NVIDIA
from gpus.sharing import SharingKind
from policies.settings import EFA_RESOURCE, PodSecurity

API_VERSION = "trainer.kubeflow.org/v1alpha1"
NODE = "node"
"""The job of a runtime whose pods compute, and the container of its pods that Trainer changes."""
LAUNCHER = "launcher"
"""The job of a runtime of MPI that starts the processes, and computes, too."""
GRACE_SECONDS = 120
"""Seconds from SIGTERM to SIGKILL, for a last checkpoint: EC2 takes a spot node as long after its
notice
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html)."""
COUNTED_RESTARTS = 10
"""How often a job of several nodes starts again where evictions count, failures included."""
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
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Annotations of the pod."""
    volumes: tuple[Fields, ...] = ()
    """Volumes of the pod."""
    mounts: tuple[Fields, ...] = ()
    """Where the container with the GPUs has them."""
    beside: tuple[Fields, ...] = ()
    """Containers that start before it: those that restart always go on beside it."""
    pod_security: PodSecurity = PodSecurity.RESTRICTED
    """The lowest Pod Security level that allows such pods, but for the capabilities."""


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


def allocation_share(pool: PlatformPool, allocations: int) -> tuple[int, int]:
    """Return the part of a node that so many of its allocations are, at most what the rule admits.

    `gpu-share`, as the quotas of teams, counts each allocation alike, whatever its size. In
    thousandths of CPUs, and bytes.
    """
    node = node_share(pool, pool.hardware.gpus)
    part = Fraction(allocations, pool.facts.allocations_per_node)
    return int(node.cpu * 1000 * part), int(node.memory_gib * 2**30 * part)


def fabric(platform: Platform, pool: PlatformPool, levels: Collection[PodSecurity] = ()) -> Fabric:
    """Return what pods need in namespaces of these Pod Security levels."""
    network = _network(platform, pool)
    if not _allow(levels, network.pod_security):
        level = network.pod_security
        network = Fabric(missing=f'its pods take a namespace with podSecurity "{level}"')
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


def nccl_tests(platform: Platform, pool: PlatformPool) -> NcclTests:
    network = network_row(platform.provider.name, pool.hardware.interconnect)
    return network.nccl_tests if network and network.nccl_tests else fabric_table().nccl_tests


def known_all_reduce(pool: PlatformPool) -> AllReduce | None:
    """Return what is known of the machines of a pool; None where they have another network."""
    machine = pool.hardware.machine
    if machine is None or machine.rdma is not pool.hardware.interconnect:
        return None
    return machine_row(machine.name).all_reduce


def _network(platform: Platform, pool: PlatformPool) -> Fabric:
    network = network_row(platform.provider.name, pool.hardware.interconnect)
    if network is None:
        return Fabric()
    instance_type = pool.hardware.machine
    machine = machine_row(instance_type.name if instance_type else None)
    if missing := machine.missing or _missing_device(platform, pool):
        return Fabric(missing=missing)
    interfaces = _interfaces(platform, pool)
    if isinstance(interfaces, str):
        return Fabric(missing=interfaces)
    needed = _needed(network, machine, pool)
    return replace(needed, annotations={**network.annotations, **interfaces})


def _interfaces(platform: Platform, pool: PlatformPool) -> Mapping[str, str] | str:
    """Return the annotations for interfaces of pods, or why they get none."""
    found = platform.provider.pod_interfaces
    return found(platform.cluster, pool.hardware) if found else {}


def _needed(network: NetworkRow, machine: MachineRow, pool: PlatformPool) -> Fabric:
    return Fabric(
        resources=_devices(pool),
        environment={**network.environment, **machine.environment, **pool.spec.network_environment},
        capabilities=network.capabilities,
        volumes=network.volumes,
        mounts=network.mounts,
        beside=network.beside,
        pod_security=network.pod_security,
    )


def _missing_device(platform: Platform, pool: PlatformPool) -> str | None:
    """Return why the pods cannot ask for the devices of the network, which a plugin offers."""
    if pool.hardware.interconnect is Interconnect.EFA:
        if pool.hardware.interconnect_interfaces == 0:
            return "the number of EFA interfaces is not known; hardware describes it"
    elif platform.provider.takes_rdma_plugin and pool.spec.rdma_resource is None:
        return "rdmaResource does not name what its device plugin offers"
    return None


def _allow(levels: Collection[PodSecurity], needed: PodSecurity) -> bool:
    order = list(PodSecurity)
    return all(order.index(level) >= order.index(needed) for level in levels)


def _devices(pool: PlatformPool) -> Mapping[str, int]:
    if pool.hardware.interconnect is Interconnect.EFA:
        return {EFA_RESOURCE: pool.hardware.interconnect_interfaces}
    resource = pool.spec.rdma_resource
    return {resource: pool.spec.rdma_count} if resource else {}


def runtime_name(framework: Framework, pool: PlatformPool) -> str:
    return f"{framework}-{pool.name}"


def runtime_pools(platform: Platform) -> tuple[PlatformPool, ...]:
    """Return the pools that have runtimes: those of whole NVIDIA GPUs, several on a node."""
    return tuple(
        pool
        for pool in platform.pools_of(NVIDIA)
        if is_whole(pool) and pool.facts.gpus_per_node >= _SEVERAL
    )


def runtime_levels(platform: Platform, pool: PlatformPool) -> frozenset[PodSecurity]:
    """Return the levels of the namespaces whose jobs share the runtimes of a pool."""
    return frozenset(
        namespace.spec.pod_security
        for namespace in platform.namespaces
        if namespace.spec.quota.gpus.get(pool.name)
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
