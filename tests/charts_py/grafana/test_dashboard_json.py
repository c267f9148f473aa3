"""Dashboards as the JSON that Grafana reads."""

from __future__ import annotations

import json

from charts_py.grafana.dashboard_json import dashboard_text
from tests.charts_py.grafana.samples import DASHBOARD

CONTENT = json.loads(dashboard_text(DASHBOARD))


def test_a_dashboard_keeps_its_uid_and_finds_the_others_by_their_tag() -> None:
    assert {key: CONTENT[key] for key in ("uid", "tags", "schemaVersion", "time")} == {
        "uid": "gpuplane-sample",
        "tags": ["gpuplane"],
        "schemaVersion": 39,
        "time": {"from": "now-6h", "to": "now"},
    }
    assert [(link["type"], link["tags"]) for link in CONTENT["links"]] == [
        ("dashboards", ["gpuplane"])
    ]


def test_readers_choose_a_data_source_and_then_values_of_labels() -> None:
    of_source = {"type": "prometheus", "uid": "${datasource}"}
    assert CONTENT["templating"]["list"] == [
        {
            "type": "datasource",
            "name": "datasource",
            "label": "Prometheus",
            "query": "prometheus",
        },
        {
            "type": "query",
            "name": "pool",
            "label": "Pool",
            "datasource": of_source,
            "query": "label_values(held, pool)",
            "refresh": 2,
            "sort": 1,
            "multi": True,
            "includeAll": True,
            "current": {"text": ["All"], "value": ["$__all"]},
        },
        {
            "type": "query",
            "name": "node",
            "label": "Node",
            "datasource": of_source,
            "query": 'label_values(used{pool=~"$pool"}, node)',
            "refresh": 2,
            "sort": 1,
            "multi": False,
            "includeAll": False,
        },
    ]


def test_headings_and_panels_stand_in_one_list_with_numbers_of_their_own() -> None:
    assert [(each["id"], each["type"], each["title"]) for each in CONTENT["panels"]] == [
        (1, "row", "Held"),
        (2, "stat", "Held"),
        (3, "table", "Pools"),
        (4, "row", "Used"),
        (5, "timeseries", "Busy"),
    ]
