import json

from msgspec.structs import replace

from charts_py.grafana.dashboard import Row
from charts_py.grafana.dashboard_json import Place, dashboard_text, panel_json, placed
from tests.charts_py.grafana.samples import DASHBOARD, HELD_QUERY, SERIES, STAT, TABLE

CONTENT = json.loads(dashboard_text(DASHBOARD))
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
PLACE = Place(x=12, y=1, width=8, height=4)


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
    assert CONTENT["templating"]["list"] == [
        {"type": "datasource", "name": "datasource", "label": "Prometheus", "query": "prometheus"},
        {
            "type": "query",
            "name": "pool",
            "label": "Pool",
            "datasource": SOURCE,
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
            "datasource": SOURCE,
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
                {"id": "links", "value": [{"title": "Show this pool", "url": TABLE.links[0].url}]}
            ],
        },
    ]


def test_the_only_query_of_a_table_has_its_heading_too() -> None:
    table = panel_json(TABLE.with_metrics({HELD_QUERY.reads[0].name}), 1, PLACE)
    assert table["transformations"][1]["options"]["renameByName"] == {"Value": "Held"}
