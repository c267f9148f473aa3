"""Where panels stand: from left to right, and in the next line where there is no more room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.grafana.panel import Kind, Panel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from charts_py.grafana.dashboard import Row

COLUMNS = 24
"""Of a dashboard."""
_HEADING = 1
"""Height of a row's heading, in lines of Grafana's grid."""
_SIZES: Mapping[Kind, tuple[int, int]] = {
    Kind.STAT: (4, 4),
    Kind.TIME_SERIES: (12, 8),
    Kind.TABLE: (24, 8),
}
"""Width and height, by default."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a panel covers of the grid."""

    x: int
    y: int
    width: int
    height: int


def placed(rows: Iterable[Row]) -> Iterator[tuple[Row, Place, list[tuple[Panel, Place]]]]:
    """Yield each row with the place of its heading, and its panels with theirs."""
    y = 0
    for row in rows:
        heading = Place(0, y, COLUMNS, _HEADING)
        panels = list(_placed_panels(row.panels, y + _HEADING))
        yield row, heading, panels
        y = max(place.y + place.height for _, place in panels)


def _placed_panels(panels: Iterable[Panel], y: int) -> Iterator[tuple[Panel, Place]]:
    x = line_height = 0
    for panel in panels:
        width, height = _size(panel)
        if x + width > COLUMNS:
            x, y, line_height = 0, y + line_height, 0
        yield panel, Place(x, y, width, height)
        x, line_height = x + width, max(line_height, height)


def _size(panel: Panel) -> tuple[int, int]:
    width, height = _SIZES[panel.kind]
    return panel.width or width, height
