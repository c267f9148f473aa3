"""What is found where a rule of the platform team's own could not be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from policies.finding import Finding


class NotEvaluatedError(Exception):
    """A rule says neither that a pod passes nor that it does not.

    As the API server does with `failurePolicy: Fail`, the pod is treated as one that does not pass;
    on an update, too, whatever the rule found before.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding
