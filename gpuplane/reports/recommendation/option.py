"""The ways of sharing that leave a workload what it needs, and why others do not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from charts_py.cluster_file.fault import Problem
from gpuplane.reports.recommendation.candidates import candidates, probes
from gpuplane.reports.recommendation.rule import Refusal, Step, refusal
from gpuplane.reports.recommendation.target import Target, Trial
from gpuplane.reports.recommendation.workload import Workload
from gpus.pool_facts import PoolFacts
from gpus.sharing import Sharing, SharingKind

CHECKS = "the checks of a cluster file"
STATED = "what the workload states"


@dataclass(frozen=True, slots=True)
class Option:
    """A way of sharing that leaves a workload what it needs."""

    sharing: Sharing
    trial: Trial
    facts: PoolFacts

    @property
    def kind(self) -> SharingKind:
        """The way."""
        return self.sharing.kind

    @property
    def pods_per_gpu(self) -> Fraction:
        """Pods of one allocation that share a GPU."""
        return Fraction(self.facts.allocations_per_node, self.facts.gpus_per_node)


def judge(
    kind: SharingKind,
    workload: Workload,
    target: Target,
    ruled_out: Mapping[SharingKind, Refusal],
) -> Option | Refusal:
    """Return the best option of a way of sharing, or why it is not for the workload."""
    refused = refusal(kind, workload) or ruled_out.get(kind) or _impossible(kind, target)
    return refused or _best(kind, workload, target)


def _impossible(kind: SharingKind, target: Target) -> Refusal | None:
    """Return why the GPUs or the provider do not have this way of sharing."""
    trials = [target.trial(sharing) for sharing in probes(kind, target)]
    if any(not trial.refused for trial in trials):
        return None
    return refused_by_checks(kind, trials[0].refused[0])


def refused_by_checks(kind: SharingKind, problem: Problem) -> Refusal:
    """Return the refusal that a check of the cluster file is."""
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
    """Return a part as a percentage with at most one decimal."""
    return f"{float(part):.1%}".replace(".0%", "%")
