"""A panel in the JSON that Grafana reads.

Fields that Grafana fills in by itself are left out. Source: `kinds/dashboard/dashboard_kind.cue`,
and `panelcfg.cue` of each plugin, in https://github.com/grafana/grafana at v11.6.0.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from charts_py.grafana.panel import Kind, Panel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from charts_py.grafana.link import Link
    from charts_py.grafana.placement import Place
    from charts_py.grafana.query import Query

DATA_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
"""The one that the reader of the dashboard chooses."""

_GOOD, _BAD = "green", "red"


def panel_json(panel: Panel, number: int, place: Place) -> dict[str, Any]:
    """Return a panel at its place, with a number that no other panel of the dashboard has."""
    content: dict[str, Any] = {
        "id": number,
        "type": panel.kind.value,
        "title": panel.title,
        "description": panel.description,
        "datasource": DATA_SOURCE,
        "gridPos": place_json(place),
        "targets": list(_targets(panel)),
        "fieldConfig": {"defaults": _defaults(panel), "overrides": list(_overrides(panel))},
        "options": _OPTIONS[panel.kind],
    }
    if panel.kind is Kind.TABLE:
        content["transformations"] = _transformations(panel)
    return content


def place_json(place: Place) -> dict[str, int]:
    """Return a place in Grafana's words."""
    return {"h": place.height, "w": place.width, "x": place.x, "y": place.y}


def _targets(panel: Panel) -> Iterator[dict[str, Any]]:
    for letter, query in zip(ascii_uppercase, panel.queries, strict=False):
        yield {
            "refId": letter,
            "datasource": DATA_SOURCE,
            "expr": query.expression,
            **_evaluated(panel.kind, query),
        }


def _evaluated(kind: Kind, query: Query) -> dict[str, Any]:
    if kind is Kind.TABLE:
        return {"instant": True, "range": False, "format": "table"}
    is_series = kind is Kind.TIME_SERIES
    return {"instant": not is_series, "range": is_series, "legendFormat": query.legend}


def _defaults(panel: Panel) -> dict[str, Any]:
    defaults: dict[str, Any] = {"unit": panel.unit.value, "thresholds": _thresholds(panel)}
    if panel.kind is Kind.TIME_SERIES:
        defaults["custom"] = _drawn(panel)
    return defaults


def _thresholds(panel: Panel) -> dict[str, Any]:
    limit = panel.limit
    if limit is None:
        steps: list[Mapping[str, Any]] = [{"color": _GOOD, "value": None}]
    else:
        below, above = (_BAD, _GOOD) if limit.is_least else (_GOOD, _BAD)
        steps = [{"color": below, "value": None}, {"color": above, "value": limit.value}]
    return {"mode": "absolute", "steps": steps}


def _drawn(panel: Panel) -> dict[str, Any]:
    return {
        "fillOpacity": 30 if panel.is_stacked else 5,
        "showPoints": "never",
        "stacking": {"mode": "normal" if panel.is_stacked else "none", "group": "A"},
        "thresholdsStyle": {"mode": "off" if panel.limit is None else "line"},
    }


def _overrides(panel: Panel) -> Iterator[dict[str, Any]]:
    for query in panel.queries:
        if query.unit is not None:
            yield _override(query.legend, "unit", query.unit.value)
    for link in panel.links:
        yield _override(link.label, "links", [_link(link)])


def _override(column: str, setting: str, value: object) -> dict[str, Any]:
    return {
        "matcher": {"id": "byName", "options": column},
        "properties": [{"id": setting, "value": value}],
    }


def _link(link: Link) -> dict[str, Any]:
    return {"title": f"Show this {link.dashboard}", "url": link.url}


def _transformations(panel: Panel) -> list[dict[str, Any]]:
    """Return how the queries of a table become its columns.

    Grafana names the values of the only query `Value`, and those of several by their letters.
    """
    is_only = len(panel.queries) == 1
    letters = zip(ascii_uppercase, panel.queries, strict=False)
    names = {"Value" if is_only else f"Value #{letter}": query.legend for letter, query in letters}
    renamed = {"excludeByName": {"Time": True}, "indexByName": {}, "renameByName": names}
    return [{"id": "merge", "options": {}}, {"id": "organize", "options": renamed}]


_OPTIONS: Mapping[Kind, Mapping[str, Any]] = {
    Kind.TIME_SERIES: {
        "legend": {
            "calcs": ["lastNotNull", "max"],
            "displayMode": "table",
            "placement": "bottom",
            "showLegend": True,
        },
        "tooltip": {"mode": "multi", "sort": "desc"},
    },
    Kind.STAT: {
        "colorMode": "value",
        "graphMode": "none",
        "justifyMode": "auto",
        "orientation": "auto",
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
        "textMode": "auto",
    },
    Kind.TABLE: {"cellHeight": "sm", "showHeader": True},
}
