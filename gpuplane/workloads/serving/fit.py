"""Whether a model fits the memory of GPUs: weights, KV cache and what else takes some.

Tensor parallelism splits both among the GPUs of a pod, pipeline parallelism among pods. A head of
the KV cache is not split further, so that more GPUs than heads hold copies; of MLA, which keeps one
for all heads, every GPU does (`get_num_kv_heads` in vllm/config/model.py).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

GIB = 2**30
UNUSED_PERCENT = 8
"""vLLM leaves as much by default (`gpu_memory_utilization` in vllm/config/cache.py)."""
_RUNNING = 2 * GIB
"""The CUDA context, CUDA graphs and activations: 0.7 to 1.8 GiB on an A100
(https://github.com/ovg-project/kvcached/pull/448), and more with larger batches."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What one replica of a model takes of GPU memory, in bytes."""

    weights: int
    kv_cache: int | None
    """None where nobody knows."""
    kv_heads: int | None = None
    """None where nobody knows: each GPU may have to hold the whole cache of its layers."""


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


def overhead(memory: int) -> int:
    """Return the bytes of a GPU with so much memory that are for neither weights nor KV cache."""
    return memory * UNUSED_PERCENT // 100 + _RUNNING


def weights_each(demand: Demand, split: Split) -> int:
    return -(-demand.weights // (split.gpus * split.nodes))


def kv_cache_each(demand: Demand, split: Split) -> int:
    """Return the bytes of KV cache of each GPU, as far as they are known."""
    parts = min(split.gpus, demand.kv_heads or 1) * split.nodes
    return -(-(demand.kv_cache or 0) // parts)


def needed_each(demand: Demand, split: Split) -> int:
    return weights_each(demand, split) + kv_cache_each(demand, split)


def fits(demand: Demand, memory: int, split: Split) -> bool:
    """Return whether all that is known of the model fits."""
    return needed_each(demand, split) <= memory - overhead(memory)


def splits(room: Room) -> Iterator[Split]:
    """Yield the ways to split a replica, the smallest first: powers of two, then several nodes."""
    gpus = [1 << power for power in range(room.gpus.bit_length())]
    yield from (Split(each, 1) for each in gpus)
    yield from (Split(gpus[-1], nodes) for nodes in range(2, room.nodes + 1))


def smallest(demand: Demand, room: Room, allowed: Iterable[Split]) -> Split | None:
    return next((each for each in allowed if fits(demand, room.memory, each)), None)
