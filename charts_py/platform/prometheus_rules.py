"""Rules by which Prometheus records series and alerts, in groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct


class Severity(StrEnum):
    """How soon a person is needed."""

    CRITICAL = "critical"
    """Now: work is lost or about to be."""
    WARNING = "warning"
    """Today."""
    INFO = "info"
    """When somebody looks: nothing is broken."""


class Alert(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One alert, as a group of rules lists it."""

    name: str
    expression: str
    """In PromQL. Whoever scrapes a target, its labels are `namespace` and `job`: the name of its
    Service, or that of its PodMonitoring."""
    lasting: str
    """The expression must hold for this long, as `5m`."""
    severity: Severity
    summary: str
    """It says what is wrong, and what that means."""
    remedy: str
    """It says what to do."""
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


@dataclass(frozen=True, slots=True)
class RecordingRule:
    """One series that Prometheus computes once and keeps, for others to read."""

    record: str
    """Name of the series: level, metric and operation, as `team:gpuplane_used_gpus:sum`."""
    expression: str
    """In PromQL."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that it gets, beside those that the expression leaves."""

    def rule(self) -> dict[str, Any]:
        """Return it as a rule of a group."""
        labels = {"labels": dict(self.labels)} if self.labels else {}
        return {"record": self.record, "expr": self.expression, **labels}


Rule: TypeAlias = Alert | RecordingRule


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules that Prometheus evaluates one after another; each reads what those before recorded."""

    name: str
    namespace: str
    rules: tuple[Rule, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    """The labels of the object that holds them."""
    reads_other_namespaces: bool = False
    """Whether some metric is of pods in other namespaces."""

    @property
    def alerts(self) -> tuple[Alert, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, Alert))
