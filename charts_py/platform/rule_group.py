"""Rules that Prometheus evaluates together, one after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from charts_py.platform.alert import Alert
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Mapping

Rule: TypeAlias = Alert | RecordingRule


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """A group of rules; each reads what those before it recorded."""

    name: str
    namespace: str
    rules: tuple[Rule, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of the object that holds them."""
    reads_other_namespaces: bool = False
    """Whether some metric is of pods in other namespaces."""

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Those that alert."""
        return tuple(rule for rule in self.rules if isinstance(rule, Alert))
