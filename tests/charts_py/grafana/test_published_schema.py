import json

from grafana_foundation_sdk.models import units

from charts_py.grafana.dashboard import Unit
from charts_py.grafana.dashboard_json import dashboard_text
from tests.charts_py.grafana.published_schema import unread
from tests.charts_py.grafana.samples import DASHBOARD


def test_grafana_reads_every_field() -> None:
    assert unread(dashboard_text(DASHBOARD)) == []


def test_a_field_that_grafana_does_not_read_is_found() -> None:
    content = json.loads(dashboard_text(DASHBOARD))
    content["panels"][1]["gridPos"]["width"] = 4
    content["panels"][2]["targets"][0]["query"] = "up"
    content["panels"][4]["options"]["legend"]["where"] = "bottom"
    assert unread(json.dumps(content)) == [
        "panels[1].gridPos.width",
        "panels[2].targets[0].query",
        "panels[4].options.legend.where",
    ]


def test_every_unit_is_one_of_grafana_s() -> None:
    known = {value for name, value in vars(units).items() if name[0].isupper()}
    assert {unit for unit in Unit if not unit.startswith("suffix:")} <= known
