"""The rules in CEL of one cluster: its facts, its modes, its exceptions."""

from collections.abc import Iterator
from dataclasses import dataclass

from policies.cel.gpus import pod_variables
from policies.cel.placement import placement_variables
from policies.cel.text import quote
from policies.cel.variables import Variables
from policies.custom_rule import CustomName
from policies.finding import Severity
from policies.in_cel.action import ALWAYS, NEVER, Action, is_taken
from policies.in_cel.excess import EXCESS, HAD_EXCESS, is_denied
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.rules import RULES
from policies.settings import Settings

_FOUND = {Severity.REFUSE: "refused", Severity.WARN: "warned"}

_CREATED = (
    "(object.metadata.?creationTimestamp.orValue(null) != null"
    " ? [string(object.metadata.creationTimestamp)] : [])"
)
_WRITTEN = (
    "object.metadata.?managedFields.orValue([]).filter(each, has(each.time))"
    ".map(each, string(each.time))"
)
TODAY = (
    f'[{_CREATED} + {_WRITTEN}].map(times, size(times) == 0 ? "9999-12-31"'
    " : times.max().substring(0, 10))[0]"
)
"""CEL has no clock, but the API server dates a new pod before it validates it, and each field
that is written later: an exception is that of the last of these days. When it mutates a new pod, it
has dated its managed fields alone. `FillObjectMetaSystemFields` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/registry/rest/meta.go"""

AUDIENCES = {rule.name: rule.audience for rule in RULES}


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of one rule that lead to one action."""

    rule: RuleName | CustomName
    severity: Severity
    expression: str
    """CEL: a list of strings, each a whole message."""


def cluster_variables(settings: Settings) -> Variables:
    variables = {
        "today": TODAY,
        **pod_variables(settings),
        **placement_variables(settings),
        "had_excess": HAD_EXCESS,
        "excess": EXCESS,
    }
    for rule in RULES:
        if rule.applies(settings):
            variables |= rule.in_cel.variables(settings)
        for severity, expression in _found(rule, settings):
            variables[_name(rule, severity)] = expression
    return variables


def findings_by(action: Action, settings: Settings) -> tuple[Findings, ...]:
    """Return what each rule finds on which the action is taken, somewhere on the cluster."""
    return tuple(_findings(action, settings))


def _findings(action: Action, settings: Settings) -> Iterator[Findings]:
    if (denied := is_denied(action, settings)) != NEVER:
        excess = f"({denied} && !variables.had_excess ? variables.excess : [])"
        yield Findings(RuleName.GPU_NODE_INTRUSION, Severity.REFUSE, excess)
    for rule in RULES:
        for severity, _ in _found(rule, settings):
            taken = is_taken(action, rule.name, severity, settings)
            if taken == NEVER:
                continue
            found = f"variables.{_name(rule, severity)}"
            yield Findings(rule.name, severity, _where(taken, found))


def _where(condition: str, found: str) -> str:
    read = "(size(variables.excess) == 0 || variables.had_excess)"
    read_and_taken = read if condition == ALWAYS else f"{read} && {condition}"
    return f"({read_and_taken} ? {found} : [])"


def _found(rule: Rule, settings: Settings) -> Iterator[tuple[Severity, str]]:
    for severity, expression in (
        (Severity.REFUSE, rule.in_cel.refusals(settings)),
        (Severity.WARN, rule.in_cel.warnings(settings)),
    ):
        if expression and rule.applies(settings):
            named = f"({expression}).map(found, {quote(f'{rule.name.value}: ')} + found)"
            of_gpu_pods = rule.audience is Audience.GPU_PODS
            yield severity, f"variables.asks_for_gpu ? {named} : []" if of_gpu_pods else named


def _name(rule: Rule, severity: Severity) -> str:
    return f"{rule.prefix}_{_FOUND[severity]}"
