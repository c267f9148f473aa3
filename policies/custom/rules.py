"""Evaluates custom rules, as `gpuplane admit` and `gpuplane lint` do; the webhook does not.

On a cluster the API server evaluates them, as `policies.in_cel.custom_rules` writes them.
"""

import re
from collections.abc import Iterable
from typing import Any

from policies.admission import CREATE
from policies.custom.expressions import (
    MAX_MEMBERS,
    NAMESPACE,
    OBJECT,
    OPERATION,
    EvaluationError,
    expressions,
    most_members,
)
from policies.custom_rule import CustomAudience, CustomName, CustomRule, CustomSeverity
from policies.document import Document, Json, cut, printable
from policies.finding import Failure, Finding, Severity, of_rule
from policies.operation import Operation
from policies.pod import Pod
from policies.rule import Audience, Context, NotEvaluatedError, Rule
from policies.settings import Settings

MAX_MESSAGE = 512
"""Characters of a message; a longer one is cut."""
OPERATIONS = ("add", "replace", "remove")
NOT_APPLIED = Failure("PatchError", ())
"""The operations of `apply` cannot be applied; none of our own code failed."""
NOT_FIXED = Failure("NotFixedError", ())
"""The operations of `apply` were applied, and the pod still does not pass."""
_MAX_PROBLEM = 200
_MAX_LEVELS = 64
"""No field of a pod lies deeper, and the evaluator follows levels by recursion."""
_COPYING = re.compile(r"\.\s*(?:map|filter)\s*\(")
"""Macros that take time and memory by the square of their list."""
_AMOUNTS = ("limits", "requests", "overhead")
"""Fields that hold quantities by name, which the API server writes as strings."""


def custom_rules(settings: Settings) -> tuple[Rule, ...]:
    """Return the custom rules in their order; CEL is imported only where there are any."""
    return tuple(_rule(custom) for custom in settings.own)


def audience_of(custom: CustomRule) -> Audience:
    is_of_all = custom.audience is CustomAudience.ALL_PODS
    return Audience.ALL_PODS if is_of_all else Audience.GPU_PODS


def severity_of(custom: CustomRule) -> Severity:
    """Return what happens to a pod that does not pass, and is not fixed."""
    return Severity.REFUSE if custom.severity is CustomSeverity.REFUSE else Severity.WARN


def _rule(custom: CustomRule) -> Rule:
    return Rule(
        CustomName(custom.name),
        custom.summary,
        _Evaluation(custom).evaluate,
        Severity.FIX if custom.apply else severity_of(custom),
        audience_of(custom),
    )


class _Evaluation:
    """The compiled expressions of a rule."""

    def __init__(self, custom: CustomRule) -> None:
        self._custom = custom
        self._expressions = expressions()
        texts = (custom.expression, custom.message_expression, custom.apply)
        self._compiled = {text: self._expressions.compile(text) for text in texts if text}

    def evaluate(self, pod: Pod, context: Context) -> Iterable[Finding]:
        """Return a finding where the pod does not pass; raises NotEvaluatedError."""
        data = {
            OBJECT: _read(pod.document),
            NAMESPACE: context.namespace_name,
            OPERATION: context.operation,
        }
        try:
            if self._value(self._custom.expression, data) is True:
                return ()
            message = self._message_on(data)
        except EvaluationError as error:
            problem = f"The rule could not be evaluated on this pod: {error}."
            raise NotEvaluatedError(self._found(problem)) from error
        return (self._found(message, self._fix(data)),)

    def _value(self, expression: str, data: Document) -> Any:
        """Evaluate an expression of the rule; raises EvaluationError."""
        if _COPYING.search(expression) and (most := most_members(data[OBJECT])) > MAX_MEMBERS:
            what = f"something in it has {most} members"
            raise EvaluationError(f"{what}, and map and filter take up to {MAX_MEMBERS} here")
        return self._expressions.value(self._compiled[expression], data)

    def _message_on(self, data: Document) -> str:
        if not self._custom.message_expression:
            return self._custom.message
        return cut(str(self._value(self._custom.message_expression, data)), MAX_MESSAGE)

    def _fix(self, data: Document) -> tuple[Operation, ...]:
        """Return what makes a new pod pass; nothing where that cannot be evaluated."""
        if not self._custom.apply or data[OPERATION] != CREATE:
            return ()
        try:
            return tuple(map(_operation, self._value(self._custom.apply, data)))
        except (EvaluationError, KeyError, TypeError):
            return ()

    def _found(self, message: str, fix: tuple[Operation, ...] = ()) -> Finding:
        name, severity = CustomName(self._custom.name), severity_of(self._custom)
        return Finding(name, severity, "", "the pod", printable(message), "", fix)


def _operation(declared: Json) -> Operation:
    """Read an operation; raises KeyError or TypeError where it is none."""
    name, path = declared["op"], declared["path"]
    if name not in OPERATIONS or type(path) is not str:
        raise TypeError
    return Operation(name, path, None if name == "remove" else declared["value"])


def _read(document: Document) -> Document:
    """Copy a pod as the API server shows it to its policies.

    It leaves out nulls and what field managers say, and writes quantities of resources as strings.
    """
    metadata = document.get("metadata")
    if type(metadata) is dict and "managedFields" in metadata:
        kept = {name: each for name, each in metadata.items() if name != "managedFields"}
        document = {**document, "metadata": kept}
    copy: Document = _copied(document, _MAX_LEVELS)
    return copy


def _copied(value: Json, levels: int) -> Json:
    if levels and type(value) is dict:
        members = {k: _copied(v, levels - 1) for k, v in value.items() if v is not None}
        return {k: _amounts(v) if k in _AMOUNTS else v for k, v in members.items()}
    if levels and type(value) is list:
        return [_copied(each, levels - 1) for each in value]
    return None if type(value) in (dict, list) else value


def _amounts(value: Json) -> Json:
    if type(value) is not dict:
        return value
    return {k: str(v) if type(v) in (int, float) else v for k, v in value.items()}


def not_applied(rule: CustomName, problem: str) -> Finding:
    short = cut(problem, _MAX_PROBLEM)
    return _blamed(rule, f"What apply returns cannot be applied to this pod: {short}.")


def not_fixed(rule: CustomName) -> Finding:
    return _blamed(rule, "The pod was fixed, but expression is not true of it even so.")


def _blamed(rule: CustomName, message: str) -> Finding:
    remedy = f"Correct policies.own.{rule}.apply in the cluster file."
    return of_rule(rule, printable(message), remedy)
