"""A language model as it is asked for, and what that takes of GPU memory."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.other_names import nearest_name
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.serving.fit import Demand, Layers
from gpuplane.workloads.serving.quantization import quantizes
from gpuplane.workloads.serving.weights import (
    ALLOWED,
    Source,
    Weights,
    allowed_weights,
    read_weights,
)

BITS = {
    "bf16": Fraction(16),
    "fp16": Fraction(16),
    "fp8": Fraction(8),
    "int8": Fraction(8),
    "fp4": Fraction(9, 2),
    "int4": Fraction(9, 2),
}
"""Bits of a parameter by precision; those of 4 bits have a scale for each 16, or a few more."""
USUAL = "bf16"
_KV_BYTES = 2
_UNITS = {"M": 10**6, "B": 10**9, "T": 10**12}
_PARAMETERS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([MBT])", re.IGNORECASE)
_NAMED = re.compile(r"(?<![A-Za-z0-9.])[0-9]{1,6}(?:\.[0-9]{1,6})?[MBT](?![A-Za-z0-9])")
_SAME_MODEL = {"", "instruct", "chat", "fp8", "awq", "gptq-int4", "gptq-int8", "fp8-dynamic"}
"""What names have besides of weights of the same model."""
_MISSING = Weights("", Source.HUB, "")
CONTEXT, CONCURRENCY = 8192, 16
_MOST = {
    "--context": 10_000_000,
    "--concurrency": 100_000,
    "--kv-bytes-per-token": 100_000_000,
    "--kv-heads": 1024,
}


class _Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a model, by its `config.json`."""

    layers: int
    kv_heads: int = 1
    head_size: int = 0
    latent: int = 0
    """Numbers of a token in a layer with MLA, which every GPU holds; 0 without it."""
    heavy: int | None = None
    """The layers that have experts, where not all do."""
    fp8: bool = False
    """Whether its own repository has such weights."""
    context: int
    """Tokens that its positions are made for."""
    parameters: int | None = None
    """Billions, where its name does not say how many."""

    @property
    def kv_bytes(self) -> int:
        """Of a token: of each layer a key and a value of each head, or what MLA keeps of both."""
        return _KV_BYTES * self.layers * (self.latent or 2 * self.kv_heads * self.head_size)


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """What is served, and how much at once."""

    weights: Weights
    parameters: int
    precision: str
    context: int
    """Tokens of a request with its answer, at most."""
    concurrency: int
    """Requests at once."""
    kv_per_token: int | None
    """Bytes; None where nobody knows."""
    kv_heads: int | None
    """1 where all GPUs hold the same, as with MLA."""
    layers: Layers | None = None
    is_fp8: bool = False
    """Whether the model is known to be published so."""
    quantized_at_start: bool = False
    """Whether the engine makes it of weights of 16 bits."""
    token_secret: str | None = None
    known_context: int | None = None
    """Tokens that its positions are made for; None where nobody knows."""
    known_parameters: int | None = None
    """How many it has by its name, or by what is known of it."""

    @property
    def weight_bytes(self) -> int:
        return int(self.parameters * BITS[self.precision] / 8)

    @property
    def stored_bytes(self) -> int:
        """The bytes of its repository."""
        bits = BITS[USUAL if self.quantized_at_start else self.precision]
        return int(self.parameters * bits / 8)

    @property
    def demand(self) -> Demand:
        known = self.kv_per_token is not None
        cache = (self.kv_per_token or 0) * self.context * self.concurrency if known else None
        return Demand(self.weight_bytes, cache, self.kv_heads, self.layers)


def read_language_model(asked: Asked) -> LanguageModel:
    """Return the model, with what is usual in place of what `language_model_problems` finds."""
    weights = read_weights(asked.weights or "") or _MISSING
    known, shape = _known_model(weights.name.lower())
    per_token = asked.kv_bytes_per_token
    if per_token is None and shape is not None:
        per_token = shape.kv_bytes
    return LanguageModel(
        weights,
        _count(asked.parameters or "") or 0,
        _precision(asked) if _precision(asked) in BITS else USUAL,
        CONTEXT if asked.context is None else asked.context,
        CONCURRENCY if asked.concurrency is None else asked.concurrency,
        per_token,
        asked.kv_heads or (shape.kv_heads if shape is not None else None),
        Layers(shape.layers, shape.heavy or shape.layers) if shape is not None else None,
        shape is not None and shape.fp8,
        quantizes(asked.program),
        asked.token_secret,
        _known_context(weights.name.lower(), known, shape),
        _named_parameters(weights.name, shape),
    )


def _known_context(name: str, known: str, shape: _Shape | None) -> int | None:
    """Return the tokens of a model that goes by its own name; others may be made for more."""
    rest = name.removeprefix(known).removeprefix("-")
    return shape.context if shape is not None and rest in _SAME_MODEL else None


def _named_parameters(name: str, shape: _Shape | None) -> int | None:
    """Return the most that a name says, as of 235B-A22B, unless it counts experts, as of 8x7B."""
    if shape is not None and shape.parameters is not None:
        return shape.parameters * _UNITS["B"]
    said = [_count(each) or 0 for each in _NAMED.findall(name)]
    return max(said, default=None)


def language_model_problems(asked: Asked) -> Iterator[Problem]:
    """Yield what is wrong on every cluster."""
    yield from _weights_problems(asked)
    if asked.parameters is None:
        yield Problem(("--parameters",), "missing", "how many the model has, such as 8B")
    elif not _count(asked.parameters):
        what = f'"{asked.parameters}" is no number of parameters'
        yield Problem(("--parameters",), what, "one above 0, such as 8B, 0.6B or 350M")
    if _precision(asked) not in BITS:
        what = f'unknown precision "{asked.precision}"'
        nearest = nearest_name(_precision(asked), list(BITS))
        yield Problem(("--precision",), what, ", ".join(BITS), nearest)
    stated = (asked.context, asked.concurrency, asked.kv_bytes_per_token, asked.kv_heads)
    for (option, most), value in zip(_MOST.items(), stated, strict=True):
        yield from bounded(option, value, most)


def bounded(option: str, value: int | None, most: int, least: int = 1) -> Iterator[Problem]:
    if value is not None and not least <= value <= most:
        yield Problem((option,), f"{value} is out of bounds", f"{least} to {most}")


def _weights_problems(asked: Asked) -> Iterator[Problem]:
    if not asked.weights:
        yield Problem(("--weights",), "missing", ALLOWED)
    elif read_weights(asked.weights) is None:
        what = f'"{asked.weights}" names no weights'
        yield Problem(("--weights",), what, allowed_weights(asked.weights))
    elif asked.weights.startswith("/data/") and asked.data is None:
        yield Problem(("--data",), f"missing, and {asked.weights} is read from it", "a claim")


def _precision(asked: Asked) -> str:
    return (asked.precision or USUAL).lower()


def _count(text: str) -> int | None:
    match = _PARAMETERS.fullmatch(text)
    return int(Fraction(match[1]) * _UNITS[match[2].upper()]) if match else None


def _known_model(name: str) -> tuple[str, _Shape | None]:
    """Return what the name of a known model begins with, and its shape; None of others."""
    found = ((known, row) for known, row in _shapes().items() if _is_of(known, name))
    return next(found, ("", None))


def _is_of(known: str, name: str) -> bool:
    """Return whether a name is of that model, and not of one whose name begins alike."""
    return name == known or name.startswith(f"{known}-")


@cache
def _shapes() -> dict[str, _Shape]:
    text = (files(__package__) / "models.toml").read_text(encoding="utf-8")
    rows = convert(tomllib.loads(text), dict[str, _Shape])
    return {name.lower(): row for name, row in rows.items()}
