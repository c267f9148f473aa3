"""The reference of the alerts: when each fires, why then, what it means and what to do."""

import re

from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS
from charts_py.platform.prometheus_rules import Alert

_INTRODUCTION = """\
# Alerts

What Prometheus alerts on, [where the cluster has it](../monitoring.md). `critical` needs a person
now, `warning` today, and `info` when somebody looks: nothing is broken. With
`addons.monitoring.runbooks`, the annotation `runbook_url` of each leads to its section here, or to
a runbook of your own.
"""

_HEADER = "| Alert | Severity | Component |\n|---|---|---|"

_FILLED = re.compile(r"\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}")
"""Where Prometheus writes a label, or the value."""
_BOUNDS = re.compile(r"\{\{ (?:if [^}]*|end) \}\}")
"""Of what it writes only where a label is there."""


def alerts_page() -> str:
    """Return the page as Markdown."""
    alerts = [(definition, alert) for definition in DEFINITIONS for alert in definition.alerts()]
    rows = (_row(definition, alert) for definition, alert in alerts)
    sections = (_section(definition, alert) for definition, alert in alerts)
    return "\n".join([_INTRODUCTION, _HEADER, *rows, "", *sections])


def _row(definition: Definition, alert: Alert) -> str:
    name = f"[{alert.name}](#{alert.name.lower()})"
    return f"| {name} | {alert.severity} | `{definition.name}` |"


def _section(definition: Definition, alert: Alert) -> str:
    return "\n".join(
        [
            f"## {alert.name}",
            "",
            _shown(alert.summary),
            "",
            f"- Severity: {alert.severity}.",
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
    """Return a text with names where Prometheus writes what they stand for."""
    return _FILLED.sub(r"*\1*", _BOUNDS.sub("", text))
