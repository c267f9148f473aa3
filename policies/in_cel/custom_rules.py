"""Custom rules as the API server evaluates them: the CEL of the cluster file, word for word.

Validation reads no variables of a policy, by which policies can end an API server before Kubernetes
1.36 (https://github.com/kubernetes/kubernetes/issues/135757). Fixes need 1.36 in any case.
"""

from collections.abc import Iterator

from policies.cel.gpus import pod_variables
from policies.cel.pod import IS_CREATED
from policies.cel.text import PRINTABLE, quote
from policies.cel.variables import Variables, inlined, of_old_object, prefix_of
from policies.custom.rules import MAX_MESSAGE, severity_of
from policies.custom_rule import CustomAudience, CustomRule
from policies.finding import Severity
from policies.in_cel.action import ALWAYS, NEVER, Action, is_taken
from policies.in_cel.cluster_fixes import named_in_annotation
from policies.in_cel.cluster_rules import TODAY
from policies.settings import Settings

_OPERATION = '[dyn(each.op), dyn(each.path), "value" in each ? dyn(each.value) : dyn(null)]'


def validations(
    action: Action, audience: CustomAudience, settings: Settings
) -> Iterator[tuple[CustomRule, dict[str, str]]]:
    """Yield each rule on which the action is taken somewhere, with its validation."""
    for custom in settings.own:
        taken = is_taken(action, custom.name, severity_of(custom), settings)
        if custom.audience is audience and taken != NEVER:
            yield custom, _validation(custom, inlined(taken, {"today": TODAY}))


def _validation(custom: CustomRule, taken: str) -> dict[str, str]:
    """Return what is true where a pod passes, or an update leaves what is wrong as it was."""
    passes = _embedded(custom.expression)
    unchanged = f"!{of_old_object(passes)}"
    validation = {"message": f"{custom.name}: {custom.message}"}
    if custom.message_expression:
        message = _message(custom)
        unchanged = f"{unchanged} && {message} == {of_old_object(message)}"
        validation = {
            "message": f"{custom.name}: The pod does not pass.",
            "messageExpression": f"{quote(f'{custom.name}: ')} + {message}",
        }
    # Not `||`, which passes over an error where the other operand is true.
    passes = f'({passes} ? true : request.operation == "UPDATE" && {unchanged})'
    if taken != ALWAYS:
        passes = f"!({taken}) || {passes}"
    return {"expression": passes, **validation, "reason": "Forbidden"}


def _message(custom: CustomRule) -> str:
    kept = MAX_MESSAGE - 3
    return (
        f"[{_embedded(custom.message_expression)}].map(said, size(said) <= {MAX_MESSAGE}"
        f' ? said : said.substring(0, {kept}) + "...").{PRINTABLE}[0]'
    )


def asks_for_gpu(settings: Settings) -> str:
    return inlined("variables.asks_for_gpu", pod_variables(settings))


def fix_variables(settings: Settings) -> Variables:
    """Return the operations of each rule that fixes something somewhere, each a stage.

    They may depend on each other, so the API server writes the pod and reads it again between them.
    """
    return {f"{prefix_of(rule.name)}_fixes": fix for rule, fix in _fixes(settings)}


def fix_stages(settings: Settings) -> tuple[str, ...]:
    """Return CEL for all operations of each stage, which name the rule in the pod's annotation."""
    return tuple(
        f"(variables.{name} + (size(variables.{name}) == 0 ? []"
        f" : {named_in_annotation(f'[{quote(rule.name)}]')}))"
        for name, (rule, _) in zip(fix_variables(settings), _fixes(settings), strict=True)
    )


def _fixes(settings: Settings) -> Iterator[tuple[CustomRule, str]]:
    asks = asks_for_gpu(settings)
    for custom in settings.own:
        taken = is_taken(Action.DENY, custom.name, Severity.REFUSE, settings)
        if custom.apply and taken != NEVER:
            conditions = [
                IS_CREATED,
                *([] if taken == ALWAYS else [inlined(taken, {"today": TODAY})]),
            ]
            if custom.audience is CustomAudience.GPU_PODS:
                conditions.append(f"({asks})")
            fix = f"{_embedded(custom.apply)}.map(each, {_OPERATION})"
            failing = " && ".join([*conditions, f"!{_embedded(custom.expression)}"])
            yield custom, f"{failing} ? {fix} : []"


def _embedded(expression: str) -> str:
    """Return an expression that stands beside others; a comment ends with its line."""
    end = "\n" if "//" in expression else ""
    return f"({expression.strip()}{end})"
