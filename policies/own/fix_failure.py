"""What is said of a rule of a platform team's own whose fix does not fix a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import printable
from policies.failure import Failure
from policies.finding import Finding, Severity

if TYPE_CHECKING:
    from policies.own_name import OwnName

NOT_APPLIED = Failure("PatchError", ())
"""What `apply` returns cannot be applied; none of our own code failed."""
NOT_FIXED = Failure("NotFixedError", ())
"""What `apply` returns was applied, and the pod does not pass for all that."""
_MAX_PROBLEM = 200


def not_applied(rule: OwnName, problem: str) -> Finding:
    """Return that the operations cannot be applied, and why."""
    stated = problem if len(problem) <= _MAX_PROBLEM else f"{problem[: _MAX_PROBLEM - 3]}..."
    return _finding(rule, f"What apply returns cannot be applied to this pod: {stated}.")


def not_fixed(rule: OwnName) -> Finding:
    """Return that a pod does not pass, though it was fixed."""
    return _finding(rule, "The pod was fixed, but expression is not true of it even so.")


def _finding(rule: OwnName, message: str) -> Finding:
    return Finding(
        rule,
        Severity.WARN,
        path="",
        culprit="the rule",
        message=printable(message),
        remedy=f"Correct policies.own.{rule}.apply in the cluster file.",
    )
