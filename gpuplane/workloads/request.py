"""What a workload is asked to be, once everything in it is known to be right."""

from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.cluster_file.quantity import format_cpus
from charts_py.cluster_file.training import Framework
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads.serving.served import Served
from gpus.platform_names import TRAINED_MODEL
from gpus.pool_facts import AdvertisedResource
from policies.quantity import format_bytes
from policies.settings import Settings


@dataclass(frozen=True, slots=True)
class Compute:
    """CPUs and memory of a pod, or of several."""

    millicpu: int
    memory: int
    """Bytes."""

    def __add__(self, other: "Compute") -> "Compute":
        return Compute(self.millicpu + other.millicpu, self.memory + other.memory)

    def __sub__(self, other: "Compute") -> "Compute":
        return Compute(self.millicpu - other.millicpu, self.memory - other.memory)

    def __str__(self) -> str:
        return ", ".join(f"{name}: {amount}" for name, amount in self.amounts().items())

    def amounts(self) -> dict[str, str]:
        return {"cpu": format_cpus(self.millicpu), "memory": format_bytes(self.memory)}


NOTHING = Compute(0, 0)
NO_SERVER = Served()
LAUNCHER = Compute(1000, 4 * 2**30)
"""Compute of a pod that starts others, or tells them what to do, and computes nothing itself."""
SIDECAR = Compute(1000, 512 * 2**20)
"""Compute of the container that leads requests of a decode pod to a prefill pod first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A workload of a team, on a pool that its namespace may use."""

    name: str
    platform: Platform
    settings: Settings
    """What the admission rules know of the cluster."""
    namespace: TeamNamespace
    pool: PlatformPool
    resource: AdvertisedResource
    """What its pods ask the pool for."""
    gpus: int
    """How many of it each pod asks for."""
    nodes: int
    """How many pods compute, each on a node of its own or on a part of one."""
    image: str
    program: tuple[str, ...]
    priority: str
    hours: int
    """Hours after which it is ended."""
    checkpoint: str | None
    """Size of the volume for checkpoints; None without one."""
    is_collective: bool
    framework: Framework | None
    data: str | None
    """Claim of a volume with what the program reads; None without one."""
    model: str | None
    storage_class: str | None
    """Storage class of that volume; None for the cluster's default."""
    beside: Compute
    expected: float | None
    """The bus bandwidth in GB/s that a test of the network is to reach; None for what is known."""
    replicas: int = 1
    """Copies of a server, each of as many pods as there are nodes; the fewest where KEDA scales."""
    max_replicas: int | None = None
    """The most, where KEDA scales."""
    prefill_replicas: int = 0
    """Copies that compute prompts alone; the others then write the answers."""
    canary: bool = False
    """Whether a few of them are replaced first, by Argo Rollouts."""
    surge: int = 0
    """Copies beyond these for which a rollout finds room."""
    served: Served = NO_SERVER

    @property
    def sleeps(self) -> bool:
        """Whether it has no replica while nobody asks it."""
        return self.replicas == 0

    @property
    def pods(self) -> int:
        """The pods that compute, at most at once."""
        return self.nodes * (self.copies + self.surge)

    @property
    def copies(self) -> int:
        """Replicas of all roles, at most, without those that a rollout adds."""
        return self.most_replicas + self.prefill_replicas

    @property
    def most_replicas(self) -> int:
        return self.replicas if self.max_replicas is None else self.max_replicas

    @property
    def world_size(self) -> int:
        """The processes of a distributed job: one for each GPU of each pod."""
        return self.gpus * self.nodes

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels by which the team's costs are allocated, and split by model."""
        model = {TRAINED_MODEL: self.model} if self.model is not None else {}
        return {**self.settings.namespaces[self.namespace.name].labels, **model}
