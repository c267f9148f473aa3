"""The references of alerts and of recorded series.

They say when each alert fires, why then, what it means and what to do; and what each series is, and
how it is computed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from charts_py.components.definition import Definition
from charts_py.components.gpu_usage.definition import figure_rules
from charts_py.components.registry import DEFINITIONS
from charts_py.metrics.series import RecordedSeries, known_series
from charts_py.platform.metrics_collection import Alert, Recipient
from gpuplane.reference import introduction, quoted, table_row

_HEADER = "| Alert | Severity | Whom it is for | Component |\n|---|---|---|---|"
_RECIPIENTS: Mapping[Recipient, str] = {
    Recipient.ON_CALL: "the platform on call",
    Recipient.PLATFORM: "the platform team, in working hours",
    Recipient.TEAM: "the team of the namespace",
}

_FILLED = re.compile(r"\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}")
"""Prometheus writes a label, or the value, in place of these."""
_BOUNDS = re.compile(r"\{\{ (?:if [^}]*|end) \}\}")
"""Prometheus writes what stands between these only where a label is there."""

_HEADER_OF_SERIES = "| Series | Labels | One for each | What it is |\n|---|---|---|---|"
_OF_ONE_MAKER = (
    "Where an expression is on exporters of several makers, a cluster has the part of its own."
)


def alerts_page() -> str:
    alerts = [(each, alert) for each in DEFINITIONS for alert in each.rules.alerts()]
    rows = (
        table_row(
            f"[{alert.name}](#{alert.name.lower()})",
            alert.severity,
            _RECIPIENTS[alert.recipient],
            f"`{definition.name}`",
        )
        for definition, alert in alerts
    )
    sections = (_section(definition, alert) for definition, alert in alerts)
    return "\n".join([introduction("alerts"), _HEADER, *rows, "", *sections])


def _section(definition: Definition, alert: Alert) -> str:
    return "\n".join(
        [
            f"## {alert.name}",
            "",
            _shown(alert.summary),
            "",
            f"- Severity: {alert.severity}.",
            f"- Whom it is for: {_RECIPIENTS[alert.recipient]}.",
            *([f"- Why at once: {alert.urgency}"] if alert.urgency else []),
            f"- Component: `{definition.name}`, {definition.appears}.",
            f"- For: {alert.lasting}.",
            f"- Threshold: {alert.source}",
            f"- What to do: {_shown(alert.remedy)}",
            "",
            "```promql",
            alert.expression,
            "```",
            "",
        ]
    )


def _shown(text: str) -> str:
    """Return a text with the names of labels in place of templates."""
    return _FILLED.sub(r"*\1*", _BOUNDS.sub("", text))


def recorded_series_page() -> str:
    recorded = known_series().recorded
    return "\n".join(
        [
            introduction("recorded-series"),
            *_table("Facts of the cluster file", (each for each in recorded if each.is_fact)),
            *_table("Figures", (each for each in recorded if not each.is_fact)),
            *_expressions(),
        ]
    )


def _table(title: str, series: Iterable[RecordedSeries]) -> Iterator[str]:
    yield from (f"## {title}", "", _HEADER_OF_SERIES)
    for each in series:
        yield table_row(f"`{each.name}`", quoted(each.labels), each.one_for_each, each.help)
    yield ""


def _expressions() -> Iterator[str]:
    yield from ("## Expressions", "", _OF_ONE_MAKER, "")
    for rule in figure_rules():
        yield from (f"`{rule.record}`", "", "```promql", rule.expression, "```", "")
