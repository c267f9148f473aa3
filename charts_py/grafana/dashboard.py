"""A dashboard: rows of panels, and what its reader chooses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from charts_py.grafana.link import dashboard_uid

if TYPE_CHECKING:
    from collections.abc import Collection

    from charts_py.grafana.panel import Panel
    from charts_py.grafana.variable import Variable


@dataclass(frozen=True, slots=True)
class Row:
    """Panels under a heading."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """One dashboard."""

    name: str
    """Short, as `pool`; links lead to it by that."""
    title: str
    description: str
    """Whom it is for, and what it answers."""
    variables: tuple[Variable, ...] = ()
    rows: tuple[Row, ...]
    hours: int = 6
    """How far back it reaches when it is opened."""

    @property
    def uid(self) -> str:
        """What identifies it in Grafana."""
        return dashboard_uid(self.name)

    def with_metrics(self, emitted: Collection[str]) -> Dashboard:
        """Return it without what reads metrics that nothing emits, whose names are not given."""
        rows = (_row(row, emitted) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if row.panels))


def _row(row: Row, emitted: Collection[str]) -> Row:
    panels = (panel.with_metrics(emitted) for panel in row.panels)
    return replace(row, panels=tuple(panel for panel in panels if panel.queries))
