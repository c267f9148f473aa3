"""When Prometheus alerts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
