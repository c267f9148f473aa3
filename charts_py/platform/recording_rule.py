"""What Prometheus computes once and keeps, for alerts, dashboards and other rules to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RecordingRule:
    """One series that is recorded, as a group of rules lists it."""

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
