"""The tables that this package carries, as TOML."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Table: TypeAlias = dict[str, Any]


def has_table(name: str) -> bool:
    return _file(name).is_file()


def read_table(name: str) -> Table:
    """Return the table of that name; raise FileNotFoundError where there is none."""
    return tomllib.loads(_file(name).read_text(encoding="utf-8"))


def _file(table: str) -> Traversable:
    return files("gpus") / "tables" / f"{table}.toml"
