from msgspec.structs import replace

from charts_py.grafana.dashboard import Link, Row
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


def test_a_link_fills_the_variables_and_keeps_source_and_time() -> None:
    link = Link("pod", "job", {"namespace": "namespace", "pod": "pod"})
    assert link.url == (
        "/d/gpuplane-job?var-datasource=${datasource}"
        "&var-namespace=${__data.fields.namespace}&var-pod=${__data.fields.pod}"
        "&${__url_time_range}"
    )
