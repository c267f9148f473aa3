"""A dashboard as the JSON that Grafana reads."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from charts_py.grafana.panel_json import DATA_SOURCE, panel_json, place_json
from charts_py.grafana.placement import placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.grafana.dashboard import Dashboard
    from charts_py.grafana.variable import Variable

_SCHEMA_VERSION = 39
"""That of Grafana 11.0, which later ones migrate from
(https://grafana.com/docs/grafana/v11.0/dashboards/build-dashboards/view-dashboard-json-model/)."""

_TAG = "gpuplane"
"""Of all of them, by which each finds the others."""

_SHARED_CROSSHAIR = 1
_ON_TIME_RANGE_CHANGE = 2
"""When the values of variables are looked up; this is when the dashboard is opened, too."""
_ALPHABETICAL = 1

_KNOWN = 64
"""Dashboards that are kept as text."""


def dashboard_text(dashboard: Dashboard) -> str:
    """Return the file that Grafana reads."""
    return _indented(json.dumps(_dashboard(dashboard), ensure_ascii=False))


@lru_cache(_KNOWN)
def _indented(text: str) -> str:
    """Return JSON on many lines, which takes ten times as long as on one; clusters share most."""
    return f"{json.dumps(json.loads(text), indent=2, ensure_ascii=False)}\n"


def _dashboard(dashboard: Dashboard) -> dict[str, Any]:
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
        "links": [_OTHERS],
        "templating": {"list": [_DATA_SOURCE_CHOICE, *map(_variable, dashboard.variables)]},
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
            "gridPos": place_json(heading),
            "panels": [],
        }
        yield from (panel_json(panel, next(numbers), place) for panel, place in panels)


def _variable(variable: Variable) -> dict[str, Any]:
    several = variable.takes_several
    return {
        "type": "query",
        "name": variable.name,
        "label": variable.name.capitalize(),
        "datasource": DATA_SOURCE,
        "query": variable.query,
        "refresh": _ON_TIME_RANGE_CHANGE,
        "sort": _ALPHABETICAL,
        "multi": several,
        "includeAll": several,
        **({"current": {"text": ["All"], "value": ["$__all"]}} if several else {}),
    }


_DATA_SOURCE_CHOICE = {
    "type": "datasource",
    "name": "datasource",
    "label": "Prometheus",
    "query": "prometheus",
}

_OTHERS = {
    "type": "dashboards",
    "title": "GPU dashboards",
    "tags": [_TAG],
    "icon": "external link",
    "tooltip": "",
    "asDropdown": True,
    "includeVars": True,
    "keepTime": True,
    "targetBlank": False,
}
