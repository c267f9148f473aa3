"""How a new replica best gets at the weights of a model: how long it takes, and what that costs."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert, field

from charts_py.cluster_file.fault import Problem, RenderError
from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.platform.pool_price import NoPrice
from gpuplane.reports.recommendation.target import Target

STARTS = 100
"""Replicas that start in a month, unless somebody says so."""
_HOUR, _GB = 3600, 10**9
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s?([GT])(i?)B?", re.ASCII)


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where weights can be, as `weight_sources.toml` has it."""

    words: str
    option: str
    """Of `gpuplane new llm`."""
    read: float
    """Bytes a second."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Where it is another one, by provider."""
    read_local: float | None = None
    """Where nodes have local disks."""
    pull: float | None = None
    """Bytes a second of what each node does once before, as far as its disk takes them."""
    on_each_node: bool = False
    """Whether the disk of every node has a copy."""
    month: Mapping[str, float] = field(default_factory=dict)
    """US dollars a GB and month, by provider."""
    needs: Feature | None = None


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    process_seconds: int
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class Way:
    """A source, for the weights and the pool that are asked about."""

    name: str
    words: str
    option: str
    new_node: float
    """Seconds to the first token on a node that never had the weights."""
    same_node: float
    """Seconds on a node that had them."""
    waiting: float | None
    """What the GPUs cost a month that wait meanwhile; None where no price is known."""
    storage: float | None
    """What the weights cost a month where they lie, in US dollars."""


@dataclass(frozen=True, slots=True)
class WeightWays:
    """All sources, the soonest first."""

    size: int
    """Bytes."""
    gpus: Fraction
    """Of a replica."""
    resource: str | None
    """The resource of which a replica has one, where a pool has parts of GPUs; else None."""
    starts: int
    currency: str
    ways: tuple[Way, ...]


@cache
def _table() -> _Table:
    text = (files(__package__) / "weight_sources.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), _Table)


def process_seconds() -> int:
    """Return how long a server takes from its weights to its first token."""
    return _table().process_seconds


def read_size(text: str) -> int:
    """Return the bytes of a size such as `140GB`; raise RenderError for what is none."""
    found = _SIZE.fullmatch(text)
    if found is None or not float(found[1]):
        what = f'"{text}" is not the size of weights'
        raise RenderError(str(Problem(("--weights",), what, "one such as 140GB or 130GiB")))
    unit = 1024 if found[3] else 1000
    return int(float(found[1]) * unit ** (3 if found[2] == "G" else 4))


def weight_ways(
    size: int, target: Target, gpus: Fraction, resource: str | None, starts: int
) -> WeightWays:
    """Return the ways to weights of so many bytes.

    A replica has so many GPUs of the pool, or one of a resource that is a part of a GPU.
    """
    ways = sorted(_ways(size, target, gpus, starts), key=lambda way: (way.new_node, way.name))
    currency = target.draft.cluster.cost.currency
    return WeightWays(size, gpus, resource, starts, currency, tuple(ways))


def _ways(size: int, target: Target, gpus: Fraction, starts: int) -> Iterator[Way]:
    price, cluster = target.price, target.draft.cluster
    hour = None if isinstance(price, NoPrice) else price.gpu_hour * float(gpus)
    for name, source in _table().sources.items():
        if source.needs and not has(cluster.kubernetes, source.needs):
            continue
        read = _read(source, target)
        same = size / read + process_seconds()
        new = same + (size / min(source.pull, read) if source.pull else 0)
        waiting = None if hour is None else hour * new / _HOUR * starts
        storage = _stored(source, size, target)
        option = source.options.get(cluster.provider, source.option)
        yield Way(name, source.words, option, new, same, waiting, storage)


def _read(source: Source, target: Target) -> float:
    return source.read_local if source.read_local and _is_local(target) else source.read


def _is_local(target: Target) -> bool:
    return target.draft.provider.joins_disks(target.hardware, target.draft.driver_owner)


def _stored(source: Source, size: int, target: Target) -> float | None:
    """Return what it costs a month, on as many nodes as the pool can have; local disks are free."""
    if source.read_local and _is_local(target):
        return 0.0
    month = source.month.get(target.draft.cluster.provider)
    copies = target.pool.spec.nodes.max if source.on_each_node else 1
    return None if month is None else month * size / _GB * copies
