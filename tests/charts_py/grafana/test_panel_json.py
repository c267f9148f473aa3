"""Panels in the JSON that Grafana reads."""

from __future__ import annotations

from charts_py.grafana.panel_json import panel_json
from charts_py.grafana.placement import Place
from tests.charts_py.grafana.samples import HELD_QUERY, SERIES, STAT, TABLE

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
PLACE = Place(x=12, y=1, width=8, height=4)


def test_a_panel_of_series_draws_its_limit() -> None:
    assert panel_json(SERIES, 3, PLACE) == {
        "id": 3,
        "type": "timeseries",
        "title": "Busy",
        "description": "`used`: Time in which it was busy (0-1).",
        "datasource": SOURCE,
        "gridPos": {"h": 4, "w": 8, "x": 12, "y": 1},
        "targets": [
            {
                "refId": "A",
                "datasource": SOURCE,
                "expr": "avg by (node) (used)",
                "instant": False,
                "range": True,
                "legendFormat": "{{node}}",
            }
        ],
        "fieldConfig": {
            "defaults": {
                "unit": "percentunit",
                "thresholds": {
                    "mode": "absolute",
                    "steps": [{"color": "green", "value": None}, {"color": "red", "value": 0.9}],
                },
                "custom": {
                    "fillOpacity": 30,
                    "showPoints": "never",
                    "stacking": {"mode": "normal", "group": "A"},
                    "thresholdsStyle": {"mode": "line"},
                },
            },
            "overrides": [],
        },
        "options": {
            "legend": {
                "calcs": ["lastNotNull", "max"],
                "displayMode": "table",
                "placement": "bottom",
                "showLegend": True,
            },
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
    }


def test_a_stat_shows_the_newest_value_and_is_red_below_what_has_to_be() -> None:
    stat = panel_json(STAT, 1, PLACE)
    assert stat["fieldConfig"]["defaults"]["thresholds"]["steps"] == [
        {"color": "red", "value": None},
        {"color": "green", "value": 2},
    ]
    assert stat["options"]["reduceOptions"]["calcs"] == ["lastNotNull"]
    assert [target["instant"] for target in stat["targets"]] == [True]


def test_the_queries_of_a_table_are_its_columns() -> None:
    table = panel_json(TABLE, 1, PLACE)
    assert [(each["refId"], each["format"]) for each in table["targets"]] == [
        ("A", "table"),
        ("B", "table"),
    ]
    assert table["transformations"] == [
        {"id": "merge", "options": {}},
        {
            "id": "organize",
            "options": {
                "excludeByName": {"Time": True},
                "indexByName": {},
                "renameByName": {"Value #A": "Held", "Value #B": "Used"},
            },
        },
    ]


def test_a_column_has_its_unit_and_leads_to_other_dashboards() -> None:
    assert panel_json(TABLE, 1, PLACE)["fieldConfig"]["overrides"] == [
        {
            "matcher": {"id": "byName", "options": "Used"},
            "properties": [{"id": "unit", "value": "percentunit"}],
        },
        {
            "matcher": {"id": "byName", "options": "pool"},
            "properties": [
                {
                    "id": "links",
                    "value": [{"title": "Show this pool", "url": TABLE.links[0].url}],
                }
            ],
        },
    ]


def test_the_only_query_of_a_table_has_its_heading_too() -> None:
    table = panel_json(TABLE.with_metrics({HELD_QUERY.reads[0].name}), 1, PLACE)
    assert table["transformations"][1]["options"]["renameByName"] == {"Value": "Held"}
