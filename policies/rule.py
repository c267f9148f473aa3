"""A rule on GPU pods."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from policies.context import Context
from policies.custom_rule import CustomName
from policies.document import printable
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.pod import Pod
from policies.rule_name import RuleName

Evaluate: TypeAlias = Callable[[Pod, Context], Iterable[Finding]]
"""A pure function that returns what is wrong with a pod.

Almost always that is nothing, and an empty tuple is four times as fast as a generator. There can be
as many findings as the pod is long, so they are yielded and need not be read to the end: by a
function that yields, since mypyc makes a list of a generator expression."""


Concerns: TypeAlias = Callable[[Context], bool]
"""Whether a rule can find anything in a namespace; a rule is not evaluated where it cannot."""


def everywhere(_context: Context) -> bool:
    """Return that a rule can find something in every namespace."""
    return True


class Audience(Enum):
    """Which pods a rule looks at."""

    GPU_PODS = "pods that ask for a GPU"
    ALL_PODS = "all pods"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on GPU pods."""

    name: RuleName | CustomName
    summary: str
    """A full sentence: what is true of a pod that passes."""
    severity: Severity
    """The severity of its findings; a rule that fixes may refuse what it cannot fix."""
    audience: Audience
    evaluate: Evaluate
    refuses_unfixed: bool = False
    """Whether validation refuses a pod that lacks the fix, as when mutation failed open."""
    concerns: Concerns = everywhere

    def finding(
        self,
        *,
        path: str,
        culprit: str,
        message: str,
        remedy: str,
        fix: tuple[Operation, ...] = (),
        severity: Severity | None = None,
    ) -> Finding:
        """Return a finding of this rule, with its severity unless another is given.

        What it says is printable: a terminal shows it, whatever the pod holds.
        """
        return Finding(
            self.name,
            severity or self.severity,
            path,
            printable(culprit),
            printable(message),
            printable(remedy),
            fix,
        )


class NotEvaluatedError(Exception):
    """A custom rule says neither that a pod passes nor that it does not.

    As the API server does with `failurePolicy: Fail`, admission treats the pod as one that does not
    pass; on an update, too, whatever the rule found before.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding
