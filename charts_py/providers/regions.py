"""The regions of the clouds, as `regions.toml` lists them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of one cloud."""

    names: tuple[str, ...]
    pattern: str
    zone_pattern: str
    """`{region}` in it stands for the name of a region."""


def _read() -> Mapping[str, Regions]:
    table = (files("charts_py.providers") / "regions.toml").read_text(encoding="utf-8")
    return {
        provider: Regions(tuple(row["names"]), row["pattern"], row["zone_pattern"])
        for provider, row in tomllib.loads(table).items()
    }


REGIONS = _read()
"""By provider."""
