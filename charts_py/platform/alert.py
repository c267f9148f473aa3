"""When Prometheus alerts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How soon a person is needed."""

    CRITICAL = "critical"
    """Now: work is lost or about to be."""
    WARNING = "warning"
    """Today."""
    INFO = "info"
    """When somebody looks: nothing is broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert, as a group of rules lists it."""

    name: str
    expression: str
    """In PromQL. Whoever scrapes a target, its labels are `namespace` and `job`: the name of its
    Service, or that of its PodMonitoring."""
    lasting: str
    """How long it must hold."""
    severity: Severity
    summary: str
    """What is wrong, and what that means."""
    remedy: str
    """What to do."""
    source: str
    """Why it fires at this threshold and not at another, in Markdown, with the page that says so
    unless it follows from the platform itself. It is not emitted."""

    def rule(self, runbooks: str | None = None) -> dict[str, Any]:
        """Return it as a rule of a group, with a link where runbooks have an address.

        That of a runbook ends with the name in lower case, as the anchor of a heading does.
        """
        link = {} if runbooks is None else {"runbook_url": f"{runbooks}{self.name.lower()}"}
        return {
            "alert": self.name,
            "expr": self.expression,
            "for": self.lasting,
            "labels": {"severity": self.severity.value},
            "annotations": {"summary": self.summary, "description": self.remedy, **link},
        }
