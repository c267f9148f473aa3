"""The ways of sharing that leave a workload what it needs, and why others do not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from charts_py.cluster_file.fault import Problem
from gpuplane.reports.recommendation.rule import Refusal, Step, refusal
from gpuplane.reports.recommendation.target import Target, Trial
from gpuplane.reports.recommendation.workload import Workload
from gpus.pool_facts import PoolFacts, gpus_per_allocation
from gpus.sharing import MIN_REPLICAS, Sharing, SharingKind, max_mps_clients, mps_compute_part

_NO_PROFILE = (("any", 1),)
"""A MIG layout of a GPU that has none: what refuses it says so."""
CHECKS = "the checks of a cluster file"
STATED = "what the workload states"


def candidates(kind: SharingKind, workload: Workload, target: Target) -> Iterator[Sharing]:
    """Yield each way to share so that leaves a pod its memory and its part of the compute."""
    parts = [(Sharing(), 1)]
    if kind in (SharingKind.MIG, SharingKind.MIG_TIME_SLICING):
        parts = [(Sharing(mig=layout), instances) for layout, instances in _layouts(target)]
    for part, instances in parts:
        pods = _pods_on(part, workload, target)
        match kind:
            case SharingKind.NONE | SharingKind.MIG:
                yield from (part,) if pods else ()
            case SharingKind.MPS:
                yield from _at_once(min(pods, target.room(instances)), workload, target)
            case SharingKind.TIME_SLICING | SharingKind.MIG_TIME_SLICING:
                bound = target.draft.provider.max_clients or pods
                replicas = min(pods, target.room(instances), bound)
                if replicas >= MIN_REPLICAS:
                    yield Sharing(mig=part.mig, time_slicing=replicas)


def _at_once(pods: int, workload: Workload, target: Target) -> Iterator[Sharing]:
    """Yield the most clients of MPS that have their part of the compute each."""
    for replicas in range(min(pods, max_mps_clients(target.hardware.model)), MIN_REPLICAS - 1, -1):
        if mps_compute_part(replicas) >= workload.demand:
            yield Sharing(mps=replicas)
            return


def _pods_on(part: Sharing, workload: Workload, target: Target) -> int:
    """Return how many pods fit a whole GPU, or an instance, by their memory and compute."""
    facts = target.trial(part).facts
    if facts is None:
        return 0
    (resource,) = facts.resources
    memory = resource.memory_mib * 2**20 // workload.memory_bytes
    return min(memory, gpus_per_allocation(facts, resource) // workload.demand)


def _layouts(target: Target) -> Iterator[tuple[tuple[tuple[str, int], ...], int]]:
    """Yield each layout of as many instances of one profile as fit, and their number.

    A single instance is a whole GPU with less of it.
    """
    geometry = target.hardware.model.mig
    for profile in geometry.profiles if geometry else ():
        if profile.max_count > 1:
            yield ((profile.name, profile.max_count),), profile.max_count


@dataclass(frozen=True, slots=True)
class Option:
    """A way of sharing that leaves a workload what it needs."""

    sharing: Sharing
    trial: Trial
    facts: PoolFacts

    @property
    def kind(self) -> SharingKind:
        return self.sharing.kind

    @property
    def pods_per_gpu(self) -> Fraction:
        return Fraction(self.facts.allocations_per_node, self.facts.gpus_per_node)


def judge(
    kind: SharingKind, workload: Workload, target: Target, ruled_out: Mapping[SharingKind, Refusal]
) -> Option | Refusal:
    """Return the best option of a way of sharing, or why it is not for the workload."""
    refused = refusal(kind, workload) or ruled_out.get(kind) or _impossible(kind, target)
    return refused or _best(kind, workload, target)


def _impossible(kind: SharingKind, target: Target) -> Refusal | None:
    trials = [target.trial(sharing) for sharing in probes(kind, target)]
    if any(not trial.refused for trial in trials):
        return None
    return refused_by_checks(kind, trials[0].refused[0])


def refused_by_checks(kind: SharingKind, problem: Problem) -> Refusal:
    allowed = f"; allowed: {problem.allowed}" if problem.allowed else ""
    return Refusal(kind, Step.HARDWARE, f"{problem.what}{allowed}", CHECKS)


def _best(kind: SharingKind, workload: Workload, target: Target) -> Option | Refusal:
    if kind is SharingKind.NONE and (problem := _node_problem(workload, target)):
        return Refusal(kind, Step.HARDWARE, problem, STATED)
    possible = list(_possible(kind, workload, target))
    if not possible:
        return Refusal(kind, Step.PATTERN, _too_small(kind, workload), STATED)
    # Of equals, the first: profiles are listed from the smallest.
    return max(possible, key=lambda option: option.pods_per_gpu)


def _possible(kind: SharingKind, workload: Workload, target: Target) -> Iterator[Option]:
    for sharing in candidates(kind, workload, target):
        trial = target.trial(sharing)
        if trial.facts is not None and not trial.refused:
            yield Option(sharing, trial, trial.facts)


def _node_problem(workload: Workload, target: Target) -> str | None:
    """Return why a pod does not fit a node of whole GPUs, apart from its memory."""
    hardware = target.hardware
    if workload.gpus_per_pod > hardware.gpus:
        return f"a pod computes on {workload.gpus_per_pod} GPUs, and a node has {hardware.gpus}"
    if workload.nvlink and not hardware.model.nvlink:
        return f"{hardware.model.name} has no NVLink"
    return None


def _too_small(kind: SharingKind, workload: Workload) -> str:
    need = f"{workload.memory} of memory and {percent(workload.demand)} of a GPU's compute"
    words = {
        SharingKind.NONE: f"a pod needs {need}, which is more than a GPU has",
        SharingKind.MIG: f"a pod needs {need}: no GPU holds two instances of that size",
        SharingKind.MIG_TIME_SLICING: f"each pod needs {need}: no two fit an instance",
    }
    return words.get(kind, f"each pod needs {need}: no two fit a GPU")


def percent(part: Fraction) -> str:
    return f"{float(part):.1%}".replace(".0%", "%")


def probes(kind: SharingKind, target: Target) -> tuple[Sharing, ...]:
    """Return the least of each way to share so: where all are refused, it is not possible there."""
    layouts = tuple(layout for layout, _ in _layouts(target)) or (_NO_PROFILE,)
    by_kind = {
        SharingKind.NONE: (Sharing(),),
        SharingKind.MIG: tuple(Sharing(mig=layout) for layout in layouts),
        SharingKind.MPS: (Sharing(mps=MIN_REPLICAS),),
        SharingKind.TIME_SLICING: (Sharing(time_slicing=MIN_REPLICAS),),
        SharingKind.MIG_TIME_SLICING: tuple(
            Sharing(mig=layout, time_slicing=MIN_REPLICAS) for layout in layouts
        ),
    }
    return by_kind[kind]
