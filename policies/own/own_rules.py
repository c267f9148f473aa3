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
from policies.own.read_pod import MAX_READ, NulError, TooLargeError, read_pod
from policies.own_name import OwnName
from policies.own_review import MAX_MADE, MAX_SECONDS, MAX_STEPS, SpentError
from policies.rule import Audience, Rule
from policies.settings_own_rule import OwnAudience, OwnSeverity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.document import Document, Json
    from policies.pod import Pod
    from policies.settings import Settings
    from policies.settings_own_rule import OwnRule

MAX_MESSAGE = 512
"""Characters of a message; what is longer is cut."""
SPENT = (
    "The rule could not be evaluated on this pod: the platform team's own rules together would take"
    f" more than {MAX_STEPS} steps or {MAX_SECONDS} s of a processor, or make more than"
    f" {MAX_MADE // 1024**2} MiB of texts and lists, or than the webhook has left until it"
    " replaces its worker."
)
"""What is found where rules would take more than they may."""
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
            data = _data(pod, context)
            if self._value(self._passes, data, context) is True:
                return ()
            return (self._found(self._message_on(data, context), self._fix(data, context)),)
        except EvaluationError as error:
            problem = f"The rule could not be evaluated on this pod: {error}."
        except SpentError:
            problem = SPENT
        except TooLargeError:
            problem = f"The pod is larger than the {MAX_READ // 1024} KiB that the rule reads."
        except NulError:
            problem = "A text of the pod has the character U+0000, which the rule cannot read."
        raise NotEvaluatedError(self._found(problem))

    def _value(self, expression: Any, data: Document, context: Context) -> Any:
        return self._expressions.value_in(context.own, expression, data)

    def _message_on(self, data: Document, context: Context) -> str:
        if self._message is None:
            return self._own.message
        return cut(str(self._value(self._message, data, context)))

    def _fix(self, data: Document, context: Context) -> tuple[Operation, ...]:
        """Return what makes a new pod pass; nothing where that cannot be evaluated."""
        if self._apply is None or context.operation != CREATE:
            return ()
        try:
            operations = self._value(self._apply, data, context)
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


def _data(pod: Pod, context: Context) -> Document:
    """Return the variables; the pod is read once until it changes. Raises TooLargeError."""
    own = context.own
    if own.read is None or own.read[0] is not pod or own.read[1] != pod.changes:
        own.read = (pod, pod.changes, read_pod(pod.document))
    return {
        OBJECT: own.read[2],
        NAMESPACE: context.namespace_name,
        OPERATION: context.operation,
    }


def _operation(stated: Json) -> Operation:
    """Return an operation; raises KeyError or TypeError where it is none."""
    name, path = stated["op"], stated["path"]
    if name not in OPERATIONS or type(path) is not str:
        raise TypeError
    return Operation(name, path, None if name == "remove" else stated["value"])


def cut(message: str) -> str:
    """Return a message that is no longer than `MAX_MESSAGE`."""
    return message if len(message) <= MAX_MESSAGE else f"{message[: MAX_MESSAGE - 3]}..."
