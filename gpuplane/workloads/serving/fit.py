"""Whether a model fits the memory of GPUs: weights, KV cache and what else takes some.

Tensor parallelism splits both among the GPUs of a pod, pipeline parallelism among pods: whole
layers, so that some pods hold one more than others (`get_pp_indices` in vllm/distributed/utils.py).
A head of the KV cache is not split further, so that more GPUs than heads hold copies; of MLA, which
keeps one for all heads, every GPU does (`get_num_kv_heads` in vllm/config/model.py).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from gpuplane.workloads.serving.reserve import Reserve, reserved


@dataclass(frozen=True, slots=True)
class Layers:
    """What a pipeline splits."""

    count: int
    heavy: int
    """Those that have nearly all weights: of a mixture of experts, the ones that have experts."""

    def most(self, nodes: int) -> int:
        """Return the layers of the node that has the most."""
        return -(-self.count // nodes)


@dataclass(frozen=True, slots=True)
class Demand:
    """What one replica of a model takes of GPU memory, in bytes."""

    weights: int
    kv_cache: int | None
    """None where nobody knows."""
    kv_heads: int | None = None
    """None where nobody knows: each GPU may have to hold the whole cache of its layers."""
    layers: Layers | None = None
    """None where nobody knows: nodes are taken to hold the same."""
    reserve: Reserve = Reserve.PART


@dataclass(frozen=True, slots=True)
class Split:
    """On how much a replica is split."""

    gpus: int
    """GPUs of each pod."""
    nodes: int
    """Pods."""


@dataclass(frozen=True, slots=True)
class Room:
    """What one replica can have of a pool."""

    memory: int
    """Bytes of each GPU, slice or share."""
    gpus: int
    """Of a pod, at most."""
    nodes: int
    """Pods, at most."""


def overhead(demand: Demand, memory: int, split: Split) -> int:
    """Return the bytes of a GPU with so much memory that are for neither weights nor KV cache."""
    weights = weights_each(demand, split)
    return reserved(demand.reserve, memory, weights, split.gpus, split.nodes)


def weights_each(demand: Demand, split: Split) -> int:
    """Return the bytes of weights of each GPU, on the node that has the most."""
    part, layers = Fraction(1, split.nodes), demand.layers
    if layers is not None and split.nodes > 1:
        part = min(Fraction(layers.most(split.nodes), layers.heavy), Fraction(1))
    return ceil(demand.weights * part / split.gpus)


def kv_cache_each(demand: Demand, split: Split) -> int:
    """Return the bytes of KV cache of each GPU, as far as they are known."""
    part, layers = Fraction(1, split.nodes), demand.layers
    if layers is not None:
        part = Fraction(layers.most(split.nodes), layers.count)
    return ceil((demand.kv_cache or 0) * part / min(split.gpus, demand.kv_heads or 1))


def needed_each(demand: Demand, split: Split) -> int:
    return weights_each(demand, split) + kv_cache_each(demand, split)


def fits(demand: Demand, memory: int, split: Split) -> bool:
    """Return whether all that is known of the model fits."""
    return needed_each(demand, split) <= memory - overhead(demand, memory, split)


def splits(room: Room) -> Iterator[Split]:
    """Yield the ways to split a replica, the smallest first: powers of two, then several nodes."""
    gpus = [1 << power for power in range(room.gpus.bit_length())]
    yield from (Split(each, 1) for each in gpus)
    yield from (Split(gpus[-1], nodes) for nodes in range(2, room.nodes + 1))


def smallest(demand: Demand, room: Room, allowed: Iterable[Split]) -> Split | None:
    return next((each for each in allowed if fits(demand, room.memory, each)), None)


def least_nodes(demand: Demand, memory: int, gpus: int) -> int | None:
    """Return on how many nodes with so many GPUs it fits, if on any."""
    if demand.layers is not None:
        nodes = range(1, demand.layers.count + 1)
        return next((each for each in nodes if fits(demand, memory, Split(gpus, each))), None)
    one = Split(gpus, 1)
    left = memory - overhead(demand, memory, one)
    return -(-needed_each(demand, one) // left) if left > 0 else None
