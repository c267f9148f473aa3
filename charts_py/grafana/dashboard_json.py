"""A dashboard as the JSON that Grafana reads.

Fields that Grafana fills in by itself are left out. Source: `kinds/dashboard/dashboard_kind.cue`,
and `panelcfg.cue` of each plugin, in https://github.com/grafana/grafana at v11.6.0.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from string import ascii_uppercase
from typing import Any, NamedTuple

from charts_py.grafana.dashboard import Dashboard, Kind, Panel, Row, Variable

_SCHEMA_VERSION = 39
"""The version of Grafana 11.0, which later ones migrate
(https://grafana.com/docs/grafana/v11.0/dashboards/build-dashboards/view-dashboard-json-model/)."""
_TAG = "gpuplane"
"""Each dashboard finds the others by this tag."""
_SHARED_CROSSHAIR = 1
_ON_TIME_RANGE_CHANGE = 2
"""When the values of variables are looked up; this is when the dashboard is opened, too."""
_ALPHABETICAL = 1
_KNOWN = 64
"""Dashboards that are kept as text."""
_DATA_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
"""The one that the reader of the dashboard chooses."""
_GOOD, _BAD = "green", "red"
_COLUMNS = 24
"""The width of a dashboard."""
_HEADING = 1
"""Height of a row's heading, in lines of Grafana's grid."""
_SIZES: Mapping[Kind, tuple[int, int]] = {
    Kind.STAT: (4, 4),
    Kind.TIME_SERIES: (12, 8),
    Kind.TABLE: (24, 8),
}
"""Width and height, by default."""


class Place(NamedTuple):
    """The cells of the grid that a panel covers."""

    x: int
    y: int
    width: int
    height: int


def dashboard_text(dashboard: Dashboard) -> str:
    return _indented(json.dumps(_dashboard(dashboard), ensure_ascii=False))


@lru_cache(_KNOWN)
def _indented(text: str) -> str:
    """Return JSON on many lines, which takes ten times as long as on one; clusters share most."""
    return f"{json.dumps(json.loads(text), indent=2, ensure_ascii=False)}\n"


@cache
def _fixed() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "fixed.toml").read_text(encoding="utf-8"))


def _dashboard(dashboard: Dashboard) -> dict[str, Any]:
    fixed, variables = _fixed(), map(_variable, dashboard.variables)
    return {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "description": dashboard.description,
        "tags": [_TAG],
        "schemaVersion": _SCHEMA_VERSION,
        "editable": False,
        "graphTooltip": _SHARED_CROSSHAIR,
        "refresh": "1m",
        "time": {"from": f"now-{dashboard.hours}h", "to": "now"},
        "links": [fixed["other_dashboards"]],
        "templating": {"list": [fixed["data_source_choice"], *variables]},
        "panels": list(_panels(dashboard)),
    }


def _panels(dashboard: Dashboard) -> Iterator[dict[str, Any]]:
    """Yield headings and panels in one list; a row that is not collapsed holds none itself."""
    numbers = count(1)
    for row, heading, panels in placed(dashboard.rows):
        yield {
            "id": next(numbers),
            "type": "row",
            "title": row.title,
            "collapsed": False,
            "gridPos": _place_json(heading),
            "panels": [],
        }
        yield from (panel_json(panel, next(numbers), place) for panel, place in panels)


def _variable(variable: Variable) -> dict[str, Any]:
    several = variable.takes_several
    return {
        "type": "query",
        "name": variable.name,
        "label": variable.name.capitalize(),
        "datasource": _DATA_SOURCE,
        "query": variable.query,
        "refresh": _ON_TIME_RANGE_CHANGE,
        "sort": _ALPHABETICAL,
        "multi": several,
        "includeAll": several,
        **({"current": {"text": ["All"], "value": ["$__all"]}} if several else {}),
    }


def placed(rows: Iterable[Row]) -> Iterator[tuple[Row, Place, list[tuple[Panel, Place]]]]:
    """Yield each row with the place of its heading, and its panels with theirs."""
    y = 0
    for row in rows:
        heading = Place(0, y, _COLUMNS, _HEADING)
        panels = list(_placed_panels(row.panels, y + _HEADING))
        yield row, heading, panels
        y = max(place.y + place.height for _, place in panels)


def _placed_panels(panels: Iterable[Panel], y: int) -> Iterator[tuple[Panel, Place]]:
    x = line_height = 0
    for panel in panels:
        width, height = _SIZES[panel.kind]
        width = panel.width or width
        if x + width > _COLUMNS:
            x, y, line_height = 0, y + line_height, 0
        yield panel, Place(x, y, width, height)
        x, line_height = x + width, max(line_height, height)


def panel_json(panel: Panel, number: int, place: Place) -> dict[str, Any]:
    content: dict[str, Any] = {
        "id": number,
        "type": panel.kind.value,
        "title": panel.title,
        "description": panel.description,
        "datasource": _DATA_SOURCE,
        "gridPos": _place_json(place),
        "targets": list(_targets(panel)),
        "fieldConfig": {"defaults": _defaults(panel), "overrides": list(_overrides(panel))},
        "options": _fixed()["options"][panel.kind.value],
    }
    if panel.kind is Kind.TABLE:
        content["transformations"] = _transformations(panel)
    return content


def _place_json(place: Place) -> dict[str, int]:
    return {"h": place.height, "w": place.width, "x": place.x, "y": place.y}


def _targets(panel: Panel) -> Iterator[dict[str, Any]]:
    is_series, is_column = panel.kind is Kind.TIME_SERIES, panel.kind is Kind.TABLE
    for letter, query in zip(ascii_uppercase, panel.queries, strict=False):
        yield {
            "refId": letter,
            "datasource": _DATA_SOURCE,
            "expr": query.expression,
            "instant": not is_series,
            "range": is_series,
            **({"format": "table"} if is_column else {"legendFormat": query.legend}),
        }


def _defaults(panel: Panel) -> dict[str, Any]:
    defaults: dict[str, Any] = {"unit": panel.unit.value, "thresholds": _thresholds(panel)}
    if panel.kind is Kind.TIME_SERIES:
        defaults["custom"] = {
            "fillOpacity": 30 if panel.is_stacked else 5,
            "showPoints": "never",
            "stacking": {"mode": "normal" if panel.is_stacked else "none", "group": "A"},
            "thresholdsStyle": {"mode": "off" if panel.limit is None else "line"},
        }
    return defaults


def _thresholds(panel: Panel) -> dict[str, Any]:
    limit = panel.limit
    if limit is None:
        steps: list[Mapping[str, Any]] = [{"color": _GOOD, "value": None}]
    else:
        below, above = (_BAD, _GOOD) if limit.is_least else (_GOOD, _BAD)
        steps = [{"color": below, "value": None}, {"color": above, "value": limit.value}]
    return {"mode": "absolute", "steps": steps}


def _overrides(panel: Panel) -> Iterator[dict[str, Any]]:
    for query in panel.queries:
        if query.unit is not None:
            yield _override(query.legend, "unit", query.unit.value)
    for link in panel.links:
        target = {"title": f"Show this {link.dashboard}", "url": link.url}
        yield _override(link.label, "links", [target])


def _override(column: str, setting: str, value: object) -> dict[str, Any]:
    return {
        "matcher": {"id": "byName", "options": column},
        "properties": [{"id": setting, "value": value}],
    }


def _transformations(panel: Panel) -> list[dict[str, Any]]:
    """Return how the queries of a table become its columns.

    Grafana names the values of the only query `Value`, and those of several by their letters.
    """
    is_only = len(panel.queries) == 1
    letters = zip(ascii_uppercase, panel.queries, strict=False)
    names = {"Value" if is_only else f"Value #{letter}": query.legend for letter, query in letters}
    renamed = {"excludeByName": {"Time": True}, "indexByName": {}, "renameByName": names}
    return [{"id": "merge", "options": {}}, {"id": "organize", "options": renamed}]
