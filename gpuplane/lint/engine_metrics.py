"""The metrics that engines show which serve models, as `engine_metrics.toml` lists them."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_STRINGS = re.compile(r"""(["'])(?:\\.|(?!\1).)*\1|`[^`]*`""")
_LABELS = re.compile(
    r"\{[^}]*\}|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", re.IGNORECASE
)
_NAME = re.compile(r"(?<![\w:])[A-Za-z_:][\w:]*")
_OF_FAMILY = ("_bucket", "_sum", "_count")


@dataclass(frozen=True, slots=True)
class EngineMetrics:
    """What one engine shows."""

    title: str
    prefix: str
    """With which its names begin."""
    series: frozenset[str]
    """Names as they are stored, those of histograms by their parts."""

    @property
    def foreign_prefix(self) -> str:
        """The prefix in which a colon is replaced, as other scrapers write it."""
        return self.prefix.replace(":", "_")


@cache
def engine_metrics() -> tuple[EngineMetrics, ...]:
    text = (files(__package__) / "engine_metrics.toml").read_text(encoding="utf-8")
    return tuple(_engine(row) for row in tomllib.loads(text).values())


def _engine(row: dict[str, Any]) -> EngineMetrics:
    prefix: str = row["prefix"]
    parts = (f"{family}{part}" for family in row["families"] for part in _OF_FAMILY)
    names = {f"{prefix}{name}" for name in (*row["single"], *parts)}
    if row.get("negotiates"):
        names |= {name.replace(":", "_") for name in names}
    return EngineMetrics(row["title"], prefix, frozenset(names))


def asked_metrics(query: str) -> Iterator[tuple[EngineMetrics, str]]:
    """Yield the metrics of engines that a query of Prometheus names, each once, with its engine.

    Names with a further colon are those of recording rules.
    """
    plain = _LABELS.sub(" ", _STRINGS.sub('""', query))
    for name in dict.fromkeys(_NAME.findall(plain)):
        for engine in engine_metrics():
            begins = name.startswith((engine.prefix, engine.foreign_prefix))
            if begins and ":" not in name[len(engine.prefix) :]:
                yield engine, name
