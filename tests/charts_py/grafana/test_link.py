"""What leads from a table to another dashboard."""

from __future__ import annotations

from charts_py.grafana.link import Link


def test_a_link_fills_the_variables_and_keeps_source_and_time() -> None:
    link = Link("pod", "job", {"namespace": "namespace", "pod": "pod"})
    assert link.url == (
        "/d/gpuplane-job?var-datasource=${datasource}"
        "&var-namespace=${__data.fields.namespace}&var-pod=${__data.fields.pod}"
        "&${__url_time_range}"
    )
