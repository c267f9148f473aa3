"""What a panel says of itself, and what is left of it."""

from __future__ import annotations

from dataclasses import replace

from charts_py.grafana.dashboard import Row
from tests.charts_py.grafana.samples import DASHBOARD, HELD_QUERY, SERIES, STAT, TABLE


def test_a_panel_is_described_by_its_note_and_the_help_of_each_metric_once() -> None:
    twice = replace(TABLE, queries=(*TABLE.queries, HELD_QUERY))
    assert twice.description == (
        "Whole GPUs.\n\n`held`: GPUs that are held.\n\n`used`: Time in which it was busy (0-1)."
    )


def test_a_query_whose_metric_is_not_emitted_is_left_out() -> None:
    assert TABLE.with_metrics({"held"}) == replace(TABLE, queries=(HELD_QUERY,))


def test_a_panel_without_queries_and_a_row_without_panels_are_left_out() -> None:
    left = replace(TABLE, queries=(HELD_QUERY,))
    assert DASHBOARD.with_metrics({"held"}).rows == (Row("Held", (STAT, left)),)
    assert DASHBOARD.with_metrics({"used"}).rows[-1] == Row("Used", (SERIES,))
    assert DASHBOARD.with_metrics(()).rows == ()
