"""What Prometheus records and alerts on of each component.

The table in its folder, or beside its module, lists its alerts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import convert
from msgspec.structs import fields

from charts_py.metrics.table import TableError, fill_table, filled, load_table
from charts_py.platform.metrics_collection import Alert, RuleGroup
from charts_py.platform.platform import Platform

_FIELDS = {each.name for each in fields(Alert)}


@dataclass(frozen=True, slots=True)
class Rules:
    """What Prometheus records and alerts on of a component."""

    groups: Callable[[Platform], tuple[RuleGroup, ...]]
    """Returns the groups of a platform that has the component."""
    alerts: Callable[[], tuple[Alert, ...]]
    """Returns every alert of these that some platform has, for the reference."""


NO_RULES = Rules(lambda _: (), tuple)


def alerts_in_group(
    name: str,
    namespace: str,
    alerts: Callable[[], tuple[Alert, ...]],
    *,
    has: Callable[[Platform, Alert], bool] = lambda *_: True,
    reads_other_namespaces: bool = True,
) -> Rules:
    """Return the rules of a component that has nothing but alerts, in one group.

    `has` says whether a platform has one of them. There is no group without any.
    """

    def groups(platform: Platform) -> tuple[RuleGroup, ...]:
        some = tuple(alert for alert in alerts() if has(platform, alert))
        group = RuleGroup(name, namespace, some, reads_other_namespaces=reads_other_namespaces)
        return (group,) if some else ()

    return Rules(groups, alerts)


def alert_table(
    name: str,
    namespace: str,
    package: str,
    table: str = "alerts",
    /,
    *,
    has: Callable[[Platform, Alert], bool] = lambda *_: True,
    reads_other_namespaces: bool = True,
    **values: object,
) -> Rules:
    """Return the same of the alerts in a table, as `read_alerts` reads them."""
    alerts = partial(read_alerts, package, table, **values)
    return alerts_in_group(
        name, namespace, alerts, has=has, reads_other_namespaces=reads_other_namespaces
    )


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
