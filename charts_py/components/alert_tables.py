"""The alerts of each component, as the table `alerts.yaml` in its folder lists them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import convert
from msgspec.structs import fields

from charts_py.metrics.table import fill_table, filled, load_table
from charts_py.platform.prometheus_rules import Alert

_FIELDS = {each.name for each in fields(Alert)}


@cache
def read_alerts(package: str, **values: object) -> tuple[Alert, ...]:
    """Return the alerts of the component in a package; the values fill placeholders of its table.

    A row that is `like` a template has its texts, and fills placeholders of these with all that it
    has beside the fields of an alert. Raises TableError where a placeholder is not filled, or a
    value not used.
    """
    table = load_table(files(package) / "alerts.yaml")
    rows = {name: _like_its_template(row) for name, row in table["alerts"].items()}
    alerts = fill_table(rows, table.get("values", {}), **values)
    return tuple(convert({"name": name, **row}, Alert) for name, row in alerts.items())


def _like_its_template(row: dict[str, Any]) -> dict[str, Any]:
    if "like" not in row:
        return row
    template = _templates()[row["like"]]
    fills = {name: value for name, value in row.items() if name not in _FIELDS | {"like"}}
    stated = {name: value for name, value in row.items() if name in _FIELDS}
    return {**filled(template, fills, set()), **stated}


@cache
def _templates() -> dict[str, dict[str, Any]]:
    table = load_table(files(__package__) / "job_alerts.yaml")
    known: dict[str, object] = {}
    for name, value in table["values"].items():
        known[name] = filled(value, known, set())
    templates: dict[str, dict[str, Any]] = filled(table["templates"], known, set())
    return templates
