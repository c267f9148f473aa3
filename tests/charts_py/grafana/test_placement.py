"""Where panels stand."""

from __future__ import annotations

from dataclasses import replace

from charts_py.grafana.dashboard import Row
from charts_py.grafana.placement import Place, placed
from tests.charts_py.grafana.samples import SERIES, STAT, TABLE


def test_panels_stand_side_by_side_and_below_where_there_is_no_more_room() -> None:
    row = Row("Row", (STAT, SERIES, replace(STAT, width=8), TABLE, STAT))
    ((_, heading, panels),) = placed([row])
    assert heading == Place(0, 0, 24, 1)
    assert [place for _, place in panels] == [
        Place(0, 1, 4, 4),
        Place(4, 1, 12, 8),
        Place(16, 1, 8, 4),
        Place(0, 9, 24, 8),
        Place(0, 17, 4, 4),
    ]


def test_a_row_begins_below_the_highest_panel_of_the_one_before() -> None:
    _, (_, heading, panels) = placed([Row("First", (SERIES, STAT)), Row("Second", (STAT,))])
    assert (heading, panels[0][1]) == (Place(0, 9, 24, 1), Place(0, 10, 4, 4))
