"""A dashboard of Grafana: rows of panels, what these show, and what its reader chooses."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Collection


class Unit(StrEnum):
    """A unit, as Grafana names it.

    Source: `packages/grafana-data/src/valueFormats/categories.ts` of
    https://github.com/grafana/grafana at v11.6.0.
    """

    NUMBER = "none"
    RATIO = "percentunit"
    """From 0 to 1, shown in percent."""
    CELSIUS = "celsius"
    WATTS = "watt"
    MEGAHERTZ = "rotmhz"
    BYTES = "bytes"
    BYTES_PER_SECOND = "Bps"
    PER_SECOND = "cps"
    SECONDS = "s"
    PER_HOUR = "suffix: /h"
    """Money, whose currency the legend names."""
    PER_MONTH = "suffix: /month"


class Kind(StrEnum):
    """The kind of a panel, by the name of Grafana's plugin."""

    TIME_SERIES = "timeseries"
    STAT = "stat"
    """The newest value of each series, as a number."""
    TABLE = "table"
    """The newest values, those with the same labels in one row, each query in its column."""


class Metric(Struct, frozen=True):
    """A metric that something emits, or a series that some rule records."""

    name: str
    help: str
    """What it is, and its unit."""


class Query(Struct, frozen=True, forbid_unknown_fields=True):
    """A query in PromQL; it may contain variables of the dashboard, as `$pool`."""

    expression: str
    legend: str
    """The name of its series, as `{{node}}`; in a table, the heading of its values."""
    reads: tuple[Metric, ...] = ()
    """The metrics without which it yields nothing, but for those of Prometheus itself; what it
    shows stands first."""
    unit: Unit | None = None
    """Stated only where it differs from the panel's unit, as in a column of a table."""


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """The value from which on a panel is red, the same as in its alert."""

    value: int | float
    is_least: bool = False
    """Whether lower values are bad, not higher ones."""


class Link(Struct, frozen=True):
    """A link to another dashboard from each value in a column of a table."""

    label: str
    """The column: a label of the series."""
    dashboard: str
    """The name of the dashboard to which it leads."""
    variables: dict[str, str]
    """The columns that fill its variables, by their names."""

    @property
    def url(self) -> str:
        """The address, with the data source and the time that the reader has chosen.

        Syntax: https://grafana.com/docs/grafana/v11.6/dashboards/variables/variable-syntax/ and
        https://grafana.com/docs/grafana/v11.6/panels-visualizations/configure-data-links/
        """
        filled = (f"var-{quote(name)}=${{__data.fields.{c}}}" for name, c in self.variables.items())
        parameters = "&".join(("var-datasource=${datasource}", *filled, "${__url_time_range}"))
        return f"/d/{_uid(self.dashboard)}?{parameters}"


class Variable(Struct, frozen=True):
    """A variable of a dashboard: its reader chooses values of a label."""

    name: str
    series: str
    """The series that have the label, as `gpuplane_pool_info{purpose="training"}`; variables
    before it may stand in it."""
    label: str
    takes_several: bool = True
    """Whether several values, or all, can be chosen."""

    @property
    def query(self) -> str:
        """The query for its values, as Grafana's data source of Prometheus reads it."""
        return f"label_values({self.series}, {self.label})"


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One panel, by default a graph over time."""

    title: str
    kind: Kind = Kind.TIME_SERIES
    queries: tuple[Query, ...]
    unit: Unit = Unit.NUMBER
    note: str = ""
    """A hint for the reader that the help of the metrics leaves out."""
    limit: Limit | None = None
    is_stacked: bool = False
    """Whether the areas of series stand on each other."""
    links: tuple[Link, ...] = ()
    """Links from the columns of a table."""
    width: int | None = None
    """Width in columns; a dashboard has 24. By default it depends on the kind."""

    @property
    def description(self) -> str:
        """The note, and each metric in the words of its own help."""
        metrics = dict.fromkeys(metric for query in self.queries for metric in query.reads)
        sources = (f"`{metric.name}`: {metric.help}." for metric in metrics)
        return "\n\n".join(text for text in (self.note, *sources) if text)

    def with_metrics(self, emitted: Collection[str]) -> Panel:
        """Return the panel with only those queries whose metrics are all emitted."""
        queries = (q for q in self.queries if all(each.name in emitted for each in q.reads))
        return replace(self, queries=tuple(queries))


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """Panels under a heading."""

    title: str
    panels: tuple[Panel, ...]

    def with_metrics(self, emitted: Collection[str]) -> Row:
        panels = (panel.with_metrics(emitted) for panel in self.panels)
        return replace(self, panels=tuple(panel for panel in panels if panel.queries))


class Dashboard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One dashboard, as a table describes it."""

    name: str
    """Short, as `pool`; links lead to it by that."""
    title: str
    description: str
    """A text about the readers of the dashboard and the questions that it answers."""
    variables: tuple[Variable, ...] = ()
    rows: tuple[Row, ...]
    hours: int = 6
    """How far back it reaches when it is opened."""

    @property
    def uid(self) -> str:
        return _uid(self.name)

    def with_metrics(self, emitted: Collection[str]) -> Dashboard:
        """Return it without queries, panels and rows that read other metrics than these."""
        rows = (row.with_metrics(emitted) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if row.panels))


def _uid(name: str) -> str:
    """Return the identifier in Grafana, which no version changes."""
    return f"gpuplane-{name}"
