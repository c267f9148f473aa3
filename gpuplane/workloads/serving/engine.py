"""Engines that serve models, as `engines.toml` lists them."""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert, field

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.other_names import nearest_name
from gpuplane.workloads.serving.reserve import Reserve

ENGINE = ("--engine",)
_RETIRED = dict.fromkeys(
    ("tgi", "text-generation-inference"),
    "is archived by its authors since 2026-03-21 and gets no more fixes",
)
"""https://github.com/huggingface/text-generation-inference"""


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Where an engine serves metrics."""

    port: str
    path: str


class Answers(Struct, frozen=True, forbid_unknown_fields=True):
    """Series of what became of requests: matchers of Prometheus without their braces."""

    every: str
    failed: str
    """Those that the engine failed, not who asked."""
    first_token: str = ""
    """Buckets of the seconds to it; empty where it shows none."""


class Engine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program that serves models."""

    name: str
    title: str
    vendors: tuple[str, ...]
    """Makers of the GPUs that it runs on."""
    image: str
    """Its own image for GPUs of the first of them."""
    ports: Mapping[str, int]
    port_options: Mapping[str, str]
    """The options by which these are others."""
    live: str
    ready: str
    reserve: Reserve = Reserve.PART
    metrics: Metrics | None = None
    load: str | None = None
    """A regular expression of the names by which Prometheus knows the requests that it has."""
    answers: Answers | None = None
    command: tuple[str, ...]
    leader: tuple[str, ...] = ()
    """Further words where it runs on several nodes; empty where it cannot."""
    worker: tuple[str, ...] = ()
    """Further words of the pods that answer no requests."""
    streams: tuple[str, ...] = ()
    """Further words where it reads weights out of a bucket; empty where it cannot."""
    start_limit: str | None = None
    """The variable that says after how many seconds of starting it gives up."""
    options: Mapping[str, str] = field(default_factory=dict)
    other_names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By which these options go besides."""
    renames: str | None = None
    """The option by which clients know the model by another name."""
    quantize: Mapping[str, str] = field(default_factory=dict)
    """The option by which it quantizes weights as it loads them, by precision."""
    cache: Mapping[str, str] = field(default_factory=dict)
    """Variables that name what is worth keeping, each with a folder."""

    @property
    def is_told_bytes(self) -> bool:
        """Whether it can be told how much memory it takes, as on a share of a GPU."""
        return "kv_cache" in self.options

    @property
    def takes_weights(self) -> bool:
        """Whether it serves one language model, which it is told."""
        return any("{weights}" in word for word in self.command)


@cache
def engines() -> Mapping[str, Engine]:
    text = (files(__package__) / "engines.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text).items()
    return {name: convert({"name": name, **row}, Engine) for name, row in rows}


def language_model_engines() -> tuple[str, ...]:
    return tuple(name for name, engine in engines().items() if engine.takes_weights)


def engine_problems(name: str, allowed: Collection[str]) -> Iterator[Problem]:
    if name in allowed:
        return
    if why := _RETIRED.get(name.lower()):
        yield Problem(ENGINE, f"{name} {why}", ", ".join(allowed), (next(iter(allowed)),))
    else:
        what = f'unknown engine "{name}"'
        yield Problem(ENGINE, what, ", ".join(allowed), nearest_name(name.lower(), list(allowed)))
