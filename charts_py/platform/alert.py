"""When Prometheus alerts on a component."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert, as a group of rules lists it."""

    name: str
    expression: str
    """In PromQL. Whoever scrapes a target, its labels are `namespace` and `job`: the name of its
    Service, or that of its PodMonitoring."""
    lasting: str
    """How long it must hold."""
    severity: str
    summary: str
    """What is wrong, and what that means."""

    def rule(self) -> dict[str, Any]:
        """Return it as a rule of a group."""
        return {
            "alert": self.name,
            "expr": self.expression,
            "for": self.lasting,
            "labels": {"severity": self.severity},
            "annotations": {"summary": self.summary},
        }


@dataclass(frozen=True, slots=True)
class AlertGroup:
    """Alerts that are evaluated together."""

    name: str
    namespace: str
    alerts: tuple[Alert, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of the object that holds them."""
    reads_other_namespaces: bool = False
    """Whether some metric is of pods in other namespaces."""
