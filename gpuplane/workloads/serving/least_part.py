"""The fewest GPUs of a pool, or the smallest part of one, that hold the weights of a model."""

from dataclasses import dataclass
from fractions import Fraction

from charts_py.cluster_file.fault import Problem, RenderError, counted
from charts_py.platform.provider_facts import NodeHardware
from gpuplane.workloads.serving.fit import Demand, Room, Split, fits, overhead, smallest, splits
from gpus.instance_memory import device_memory
from gpus.pool_facts import AdvertisedResource, PoolFacts, gpus_per_allocation

_MIB, _GIB, _GB = 2**20, 2**30, 10**9
_ONE = Split(1, 1)


@dataclass(frozen=True, slots=True)
class LeastPart:
    gpus: Fraction
    """Of a replica."""
    resource: str | None = None
    """The resource of which a replica has one, where the pool has parts of GPUs; else None."""


def least_part(
    size: int, hardware: NodeHardware, nodes: int, facts: PoolFacts | None, gpus: int | None = None
) -> LeastPart:
    """Return the least that holds so many bytes of weights, and what vLLM keeps to run.

    The KV cache comes on top, of which nothing is asked here. `facts` is None of a pool that offers
    nothing yet. Raises RenderError where so many nodes do not hold them, or so many GPUs where they
    are stated, and where they are though pods get a part of one.
    """
    parts = [each for each in facts.resources if each.is_part] if facts else []
    if facts and parts:
        return _of_part(size, facts, parts, gpus)
    memory = device_memory(facts, facts.resources[0]) if facts else hardware.model.memory_mib * _MIB
    room = Room(memory, hardware.gpus, nodes)
    split = smallest(Demand(size, None), room, splits(room))
    if split is None:
        machines = f"{counted(nodes, 'node')} of {hardware.gpus} x {hardware.model.name}"
        what = f"{machines} together have no room for {size / _GB:g} GB"
        raise RenderError(str(Problem(("--weights",), what, "smaller ones, or another pool")))
    least = split.gpus * split.nodes
    if gpus is not None and gpus < least:
        what = f"{counted(gpus, hardware.model.name)} do not hold {size / _GB:g} GB"
        raise RenderError(str(Problem(("--gpus-per-pod",), what, f"at least {least}")))
    return LeastPart(Fraction(gpus or least))


def _of_part(
    size: int, facts: PoolFacts, parts: list[AdvertisedResource], gpus: int | None
) -> LeastPart:
    if gpus is not None:
        what = f"pods have one part of a GPU on {facts.pool}"
        raise RenderError(str(Problem(("--gpus-per-pod",), what, "no --gpus-per-pod there")))
    by_memory = sorted(parts, key=lambda each: device_memory(facts, each))
    demand = Demand(size, None)
    held = (each for each in by_memory if fits(demand, device_memory(facts, each), _ONE))
    found = next(held, None)
    if found is None:
        largest = by_memory[-1]
        memory = device_memory(facts, largest)
        left = (memory - overhead(demand, memory, _ONE)) / _GIB
        what = f"no part of a GPU on {facts.pool} holds {size / _GB:g} GB"
        most = f"at most {left:.3g} GiB, as {largest.name} has beside what vLLM takes to run"
        if left <= 0:
            most = "none there, where vLLM takes all to run"
        raise RenderError(str(Problem(("--weights",), what, f"{most}, or another pool")))
    return LeastPart(gpus_per_allocation(facts, found), found.name)
