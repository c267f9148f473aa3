"""What a panel shows, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from charts_py.grafana.unit import Unit

if TYPE_CHECKING:
    from collections.abc import Collection

    from charts_py.grafana.link import Link
    from charts_py.grafana.query import Query


class Kind(StrEnum):
    """How a panel shows what its queries yield, by the name of Grafana's plugin."""

    TIME_SERIES = "timeseries"
    STAT = "stat"
    """The newest value of each series, as a number."""
    TABLE = "table"
    """The newest values, those with the same labels in one row, each query in its column."""


@dataclass(frozen=True, slots=True)
class Limit:
    """From where on a value is bad, as the alert on it says."""

    value: float
    is_least: bool = False
    """Whether it is what is below that is bad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel."""

    title: str
    kind: Kind
    queries: tuple[Query, ...]
    unit: Unit = Unit.NUMBER
    note: str = ""
    """What the help of the metrics leaves out of how to read it."""
    limit: Limit | None = None
    is_stacked: bool = False
    """Whether the areas of series stand on each other."""
    links: tuple[Link, ...] = ()
    """From the columns of a table."""
    width: int | None = None
    """In columns, of which a dashboard has 24; by default, by its kind."""

    @property
    def description(self) -> str:
        """Where its figures come from, each metric in the words of its own help, and the note."""
        metrics = dict.fromkeys(metric for query in self.queries for metric in query.reads)
        sources = (f"`{metric.name}`: {metric.help}." for metric in metrics)
        return "\n\n".join(text for text in (self.note, *sources) if text)

    def with_metrics(self, emitted: Collection[str]) -> Panel:
        """Return it with those queries alone whose metrics are emitted, by their names."""
        queries = (q for q in self.queries if all(each.name in emitted for each in q.reads))
        return replace(self, queries=tuple(queries))
