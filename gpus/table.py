"""The tables that this package carries, as TOML."""

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

Table: TypeAlias = dict[str, Any]


def has_table(name: str) -> bool:
    return _file(name).is_file()


def read_table(name: str) -> Table:
    """Return the table of that name; raise FileNotFoundError where there is none."""
    return tomllib.loads(_file(name).read_text(encoding="utf-8"))


def _file(table: str) -> Traversable:
    return files("gpus") / "tables" / f"{table}.toml"
