"""Rules of a platform team's own, as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from policies.admission import CREATE
from policies.document import printable
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.own.expressions import (
    NAMESPACE,
    OBJECT,
    OPERATION,
    EvaluationError,
    own_expressions,
)
from policies.own.not_evaluated import NotEvaluatedError
from policies.own.read_pod import MAX_READ, TooLargeError, read_pod
from policies.own_name import OwnName
from policies.rule import Audience, Rule
from policies.settings_own_rule import OwnAudience, OwnSeverity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.document import Json
    from policies.pod import Pod
    from policies.settings import Settings
    from policies.settings_own_rule import OwnRule

MAX_MESSAGE = 512
"""Characters of a message; what is longer is cut."""
OPERATIONS = ("add", "replace", "remove")
_AUDIENCES = {
    OwnAudience.GPU_PODS: Audience.GPU_PODS,
    OwnAudience.ALL_PODS: Audience.ALL_PODS,
}
_SEVERITIES = {OwnSeverity.REFUSE: Severity.REFUSE, OwnSeverity.WARN: Severity.WARN}


def own_rules(settings: Settings) -> tuple[Rule, ...]:
    """Return the rules of the settings, in their order; without any, CEL is not imported."""
    return tuple(_rule(own) for own in settings.own)


def audience_of(own: OwnRule) -> Audience:
    """Return which pods the rule looks at."""
    return _AUDIENCES[own.audience]


def severity_of(own: OwnRule) -> Severity:
    """Return what happens to a pod that does not pass, and is not fixed."""
    return _SEVERITIES[own.severity]


def summary_of(own: OwnRule) -> str:
    """Return what a list of rules says of it."""
    return own.message or f"Messages: {own.message_expression}"


def _rule(own: OwnRule) -> Rule:
    return Rule(
        OwnName(own.name),
        summary_of(own),
        Severity.FIX if own.apply else severity_of(own),
        audience_of(own),
        _Evaluation(own).evaluate,
    )


class _Evaluation:
    """The compiled expressions of a rule."""

    def __init__(self, own: OwnRule) -> None:
        self._own = own
        self._expressions = own_expressions()
        compile_ = self._expressions.compile
        self._passes = compile_(own.expression)
        self._message = compile_(own.message_expression) if own.message_expression else None
        self._apply = compile_(own.apply) if own.apply else None

    def evaluate(self, pod: Pod, context: Context) -> Iterable[Finding]:
        """Return that the pod does not pass; raises NotEvaluatedError."""
        try:
            bound = self._bound(pod, context)
            if self._expressions.value(self._passes, bound) is True:
                return ()
            return (self._found(self._message_on(bound), self._fix(bound, context)),)
        except EvaluationError as error:
            problem = f"The rule could not be evaluated on this pod: {error}."
        except TooLargeError:
            problem = f"The pod is larger than the {MAX_READ // 1024} KiB that the rule reads."
        raise NotEvaluatedError(self._found(problem))

    def _bound(self, pod: Pod, context: Context) -> Any:
        """Return the variables, which the rules of an admission share until the pod changes."""
        found = context.bound
        if found is None or found[0] is not pod or found[1] != pod.changes:
            data = {
                OBJECT: read_pod(pod.document),
                NAMESPACE: context.namespace_name,
                OPERATION: context.operation,
            }
            found = context.bound = (pod, pod.changes, self._expressions.bound(data))
        return found[2]

    def _message_on(self, bound: Any) -> str:
        if self._message is None:
            return self._own.message
        return cut(str(self._expressions.value(self._message, bound)))

    def _fix(self, bound: Any, context: Context) -> tuple[Operation, ...]:
        """Return what makes a new pod pass; nothing where that cannot be evaluated."""
        if self._apply is None or context.operation != CREATE:
            return ()
        try:
            operations = self._expressions.value(self._apply, bound)
            return tuple(_operation(each) for each in operations)
        except (EvaluationError, KeyError, TypeError):
            return ()

    def _found(self, message: str, fix: tuple[Operation, ...] = ()) -> Finding:
        return Finding(
            OwnName(self._own.name),
            severity_of(self._own),
            path="",
            culprit="the pod",
            message=printable(message),
            remedy="",
            fix=fix,
        )


def _operation(stated: Json) -> Operation:
    """Return an operation; raises KeyError or TypeError where it is none."""
    name, path = stated["op"], stated["path"]
    if name not in OPERATIONS or type(path) is not str:
        raise TypeError
    return Operation(name, path, None if name == "remove" else stated["value"])


def cut(message: str) -> str:
    """Return a message that is no longer than `MAX_MESSAGE`."""
    return message if len(message) <= MAX_MESSAGE else f"{message[: MAX_MESSAGE - 3]}..."
