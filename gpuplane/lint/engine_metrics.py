"""The metrics that engines show which serve models, as `engine_metrics.toml` lists them."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

_STRINGS = re.compile(r"""(["'])(?:\\.|(?!\1).)*\1|`[^`]*`""")
_LABELS = re.compile(
    r"\{[^}]*\}|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", re.IGNORECASE
)
_NAME = re.compile(r"(?<![\w:])[A-Za-z_:][\w:]*")
_MATCHER = re.compile(r"""__name__\s*=(~?)\s*["']([^"'\\]{1,200})["']""")
_SIMPLE = re.compile(r"(?:[\w:.|(]|\[[\w:]+\]|\)(?![*+?{])|(?<=[\w.\]])[*+?])*")
"""An expression without groups that repeat, which would take long."""
_REPEATED = re.compile(r"[*+]")
_MOST_REPEATED = 2
_OF_FAMILY = ("_bucket", "_sum", "_count")


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    prefix: str
    single: tuple[str, ...]
    families: tuple[str, ...]
    negotiates: bool = False

    @property
    def series(self) -> frozenset[str]:
        parts = (f"{family}{part}" for family in self.families for part in _OF_FAMILY)
        names = {f"{self.prefix}{name}" for name in (*self.single, *parts)}
        if self.negotiates:
            names |= {name.replace(":", "_") for name in names}
        return frozenset(names)


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
    rows = convert(tomllib.loads(text), dict[str, _Row]).values()
    return tuple(EngineMetrics(each.title, each.prefix, each.series) for each in rows)


def asked_metrics(query: str) -> Iterator[tuple[EngineMetrics, str]]:
    """Yield the metrics of engines that a query of Prometheus names, each once, with its engine.

    Names with a further colon are those of recording rules. An expression in the place of a name
    stands for the first metric that it matches, or for itself where it matches none.
    """
    plain = _LABELS.sub(" ", _STRINGS.sub('""', query))
    names = [*_NAME.findall(plain)]
    for is_expression, stated in _MATCHER.findall(query):
        names += _matched(stated) if is_expression else [stated]
    for name in dict.fromkeys(names):
        for engine in engine_metrics():
            begins = name.startswith((engine.prefix, engine.foreign_prefix))
            if begins and ":" not in name[len(engine.prefix) :]:
                yield engine, name


def _matched(expression: str) -> Iterator[str]:
    """Yield the metrics for which an expression stands; none where that is too much work."""
    if not _SIMPLE.fullmatch(expression) or len(_REPEATED.findall(expression)) > _MOST_REPEATED:
        return
    for part in [expression] if "(" in expression else expression.split("|"):
        try:
            matches = re.compile(part).fullmatch
        except re.error:
            return
        known = (name for engine in engine_metrics() for name in sorted(engine.series))
        yield next(filter(matches, known), part.replace("[:_]", ":"))
