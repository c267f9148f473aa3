"""Accelerators that are not supported, by what instance types and models are called."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Unsupported:
    """An accelerator that is not supported; patterns match whole names, case aside."""

    has: str
    """What a machine has instead of a GPU, such as `TPUs, which are not supported`."""
    instance_types: str = ""
    models: str = ""


def unsupported_instance_type(name: str) -> str | None:
    """Return what an instance type has instead of a GPU that is supported; None if unknown."""
    return next((each.has for each in _rows() if _is(name, each.instance_types)), None)


def unsupported_model(name: str) -> str | None:
    """Return what a model is instead of a GPU that is supported; None if unknown."""
    return next((each.has for each in _rows() if _is(name, each.models)), None)


def _is(name: str, pattern: str) -> bool:
    return bool(pattern) and re.fullmatch(pattern, name, re.IGNORECASE) is not None


@cache
def _rows() -> tuple[Unsupported, ...]:
    table = files("gpus") / "tables" / "unsupported.toml"
    rows = tomllib.loads(table.read_text(encoding="utf-8"))["accelerator"]
    return tuple(Unsupported(**row) for row in rows)
