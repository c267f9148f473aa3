"""What a rule finds in a pod."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from policies.custom_rule import CustomName
from policies.operation import Operation
from policies.rule_name import RuleName


class Severity(StrEnum):
    """What happens to a pod with a finding of an enforced rule."""

    FIX = "fix"
    """The pod is changed and admitted."""
    REFUSE = "refuse"
    """The pod is not admitted."""
    WARN = "warn"
    """The pod is admitted, and its author is warned."""


class Finding(NamedTuple):
    """What a rule finds in a pod."""

    rule: RuleName | CustomName
    severity: Severity
    path: str
    """JSON Pointer into the pod to what is wrong, or to where something is missing."""
    culprit: str
    """Who: `container train`, `volume gpus`, or `the pod`."""
    message: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do; empty where the message says it."""
    fix: tuple[Operation, ...] = ()
    """The operations that fix it. Where they are not applied, its severity decides."""

    def __str__(self) -> str:
        sentence = f"{self.rule.value}: {self.message}"
        return f"{sentence} {self.remedy}" if self.remedy else sentence
