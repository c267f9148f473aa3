"""What is known of one kind of workload before any is made."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.training import Framework
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.reason import Tree
from gpuplane.workloads.request import NOTHING, Compute, Request
from gpuplane.workloads.serving.fit import Room, Split
from gpuplane.workloads.serving.served import Served


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of workload."""

    name: str
    """The name on the command line."""
    summary: str
    """What it is for: a part of a sentence."""
    build: Callable[[Request], Iterable[Tree]]
    """Returns its objects, in the order in which they are created."""
    purposes: tuple[Purpose, ...] = (Purpose.TRAINING, Purpose.BATCH)
    """Purposes of the namespaces that suit it, the best first."""
    spreads: bool = True
    """Whether it can have several pods that compute."""
    whole_nodes: bool = True
    """Whether its pods take all GPUs of a node where nothing else is said."""
    only_whole_nodes: bool = False
    """Whether they can take nothing else."""
    is_collective: bool = True
    """Whether its pods talk by NCCL, over the network of their pool."""
    pools: Callable[[Platform], tuple[PlatformPool, ...]] = lambda platform: platform.pools
    """Returns those that it can be on."""
    why_pools: str = ""
    """Why it can be on no others: a sentence."""
    beside: Compute = NOTHING
    """What its pods take that ask for no GPU, and start or lead the others; all together."""
    asked_beside: Callable[[Asked], Compute] = lambda _: NOTHING
    """Returns what else of such pods is asked for."""
    annotates_gang: bool = False
    """Whether it says on the Job of its pods with GPUs how many start together."""
    frameworks: tuple[Framework, ...] = ()
    """Frameworks that it can be asked for; the first is the default."""
    has_program: bool = True
    """Whether it runs a program of the user's."""
    program: tuple[str, ...] = ("train.py",)
    """What it runs where none is named."""
    served: Callable[[Asked], Served] | None = None
    """Returns what a server serves; None of what ends, or is one pod."""
    size: Callable[[Asked, Room], Split] | None = None
    """Returns on how much a replica runs, as far as it is not asked for."""
    hours: int | None = 24
    """After how many it is ended where nothing else is said; None where it has no own end."""
    least_nodes: int = 1
    """How many pods compute at least, and where nothing else is said."""
    stores: bool = True
    """Whether it mounts data, and a volume for checkpoints."""
    volume: str = "checkpoint"
    """The option that says how large that volume is."""
    volume_size: Callable[[Asked], str | None] = lambda _: "100Gi"
    """Returns that size where none is named; None for no volume."""
    image: Callable[[Asked, Platform, PlatformPool], str] | None = None
    """Returns the image where none is named, empty where there is none; None where one has to be
    named."""
    values: Callable[[Asked], Iterable[Problem]] = lambda _: ()
    """Returns what is wrong with options of its own on every cluster."""
    problems: Callable[[Request], Iterable[Problem]] = lambda _: ()
    """Returns why it cannot run, beside what holds for all kinds."""
    notes: Callable[[Request], Iterable[str]] = lambda _: ()
    """Returns what must be there besides, for it to run."""


def not_installed(request: Request, what: str, field: str) -> str:
    name = request.platform.name
    return (
        f"the file of {name} does not install {what}: switch on {field}, or see that the cluster "
        "has it anyway"
    )
