"""The alerts of each component, as the table in its folder, or beside its module, lists them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from msgspec import convert
from msgspec.structs import fields

from charts_py.metrics.table import TableError, fill_table, filled, load_table
from charts_py.platform.prometheus_rules import Alert

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FIELDS = {each.name for each in fields(Alert)}


@cache
def read_alerts(package: str, name: str = "alerts", /, **values: object) -> tuple[Alert, ...]:
    """Return the alerts of the component in a package; the values fill placeholders of its table.

    A row that is `like` a template has its texts, and fills placeholders of these with all that it
    has beside the fields of an alert. Raises TableError where a placeholder is not filled, or a
    value not used.
    """
    file = files(package) / f"{name}.yaml"
    table = load_table(file)
    rows = {name: _like_its_template(file, row) for name, row in table["alerts"].items()}
    alerts = fill_table(file, rows, table.get("values", {}), **values)
    return tuple(convert({"name": name, **row}, Alert) for name, row in alerts.items())


def _like_its_template(file: Traversable, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the texts of its template, where it has one."""
    if "like" not in row:
        return row
    declared = {name: value for name, value in row.items() if name in _FIELDS}
    fills = {name: value for name, value in row.items() if name not in {*_FIELDS, "like"}}
    used = set[str]()
    texts = filled(_templates()[row["like"]], fills, used)
    if unused := sorted(fills.keys() - used):
        raise TableError(f"{file}: {row['like']} has no place for {', '.join(unused)}")
    return {**texts, **declared}


@cache
def _templates() -> dict[str, dict[str, Any]]:
    table = load_table(files(__package__) / "job_alerts.yaml")
    known: dict[str, object] = {}
    for name, value in table["values"].items():
        known[name] = filled(value, known, set())
    templates: dict[str, dict[str, Any]] = filled(table["templates"], known, set())
    return templates
