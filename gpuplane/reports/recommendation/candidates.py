"""The ways to share a GPU that leave each pod of a workload what it needs."""

from collections.abc import Callable, Iterator, Mapping

from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.gpus_per_allocation import gpus_per_allocation
from gpus.sharing import MIN_REPLICAS, Sharing, SharingKind, max_mps_clients, mps_compute_part

_NO_PROFILE = (("any", 1),)
"""A MIG layout of a GPU that has none: what refuses it says so."""


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


def candidates(kind: SharingKind, workload: Workload, target: Target) -> Iterator[Sharing]:
    """Yield each way to share so that leaves a pod its memory and its part of the compute."""
    yield from _CANDIDATES[kind](workload, target)


def _whole(workload: Workload, target: Target) -> Iterator[Sharing]:
    if _pods_on(Sharing(), workload, target):
        yield Sharing()


def _mig(workload: Workload, target: Target) -> Iterator[Sharing]:
    for layout, _ in _layouts(target):
        sharing = Sharing(mig=layout)
        if _pods_on(sharing, workload, target):
            yield sharing


def _mig_time_slicing(workload: Workload, target: Target) -> Iterator[Sharing]:
    for layout, instances in _layouts(target):
        pods = _pods_on(Sharing(mig=layout), workload, target)
        yield from _in_turns(Sharing(mig=layout), min(pods, target.room(instances)), target)


def _time_slicing(workload: Workload, target: Target) -> Iterator[Sharing]:
    pods = _pods_on(Sharing(), workload, target)
    yield from _in_turns(Sharing(), min(pods, target.room(1)), target)


def _in_turns(part: Sharing, pods: int, target: Target) -> Iterator[Sharing]:
    bound = target.draft.provider.max_clients
    replicas = pods if bound is None else min(pods, bound)
    if replicas >= MIN_REPLICAS:
        yield Sharing(mig=part.mig, time_slicing=replicas)


def _mps(workload: Workload, target: Target) -> Iterator[Sharing]:
    pods = _pods_on(Sharing(), workload, target)
    most = min(pods, max_mps_clients(target.hardware.model), target.room(1))
    for replicas in range(most, MIN_REPLICAS - 1, -1):
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


_CANDIDATES: Mapping[SharingKind, Callable[[Workload, Target], Iterator[Sharing]]] = {
    SharingKind.NONE: _whole,
    SharingKind.MIG: _mig,
    SharingKind.MPS: _mps,
    SharingKind.MIG_TIME_SLICING: _mig_time_slicing,
    SharingKind.TIME_SLICING: _time_slicing,
}
