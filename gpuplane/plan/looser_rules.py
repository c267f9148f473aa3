"""What rules no longer refuse, or no longer fix: by their mode, or by a new exception."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from charts_py.cluster_file.fault import FieldPath
from gpuplane.plan.rule_answers import enforces
from gpuplane.plan.rule_clause import RuleClause, field_of, named
from policies.custom_rule import CustomSeverity
from policies.document import few
from policies.finding import Severity
from policies.rule_name import Mode
from policies.rules import RULES
from policies.settings import Settings

Rules: TypeAlias = Callable[[Settings], tuple[str, ...]]
"""The rules that do the same where they are enforced."""


def refusing_rules(settings: Settings) -> tuple[str, ...]:
    """Return the rules that refuse, and fix nothing."""
    refusing = (each for each in settings.own if each.severity is CustomSeverity.REFUSE)
    own = (each.name for each in refusing if not each.apply)
    return (*_applying(Severity.REFUSE, settings), *own)


def fixing_rules(settings: Settings) -> tuple[str, ...]:
    """Return the rules that make pods pass."""
    return (*_applying(Severity.FIX, settings), *own_fixing_rules(settings))


def own_fixing_rules(settings: Settings) -> tuple[str, ...]:
    return tuple(each.name for each in settings.own if each.apply)


def looser_clauses(
    before: Settings, after: Settings, cluster: str, today: dt.date
) -> Iterator[RuleClause]:
    """Yield a clause about the rules that no longer refuse, for each place where they do not."""
    for where, rules in _ceasing(refusing_rules, before, after, today).items():
        text = f"{cluster} no longer refuses pods by the {named((*rules,))}{where}"
        yield RuleClause(text, next(iter(rules.values())))


def unfixed_clauses(
    before: Settings, after: Settings, cluster: str, today: dt.date, rules: Rules = fixing_rules
) -> Iterator[RuleClause]:
    """Yield a clause about the rules that no longer fix, for each place where they do not."""
    subject = f"{cluster} no longer fixes pods" if cluster else "pods are no longer fixed"
    for where, ceasing in _ceasing(rules, before, after, today).items():
        text = (
            f"{subject} by the {named((*ceasing,))}{where}: what counts on that may wait or fail "
            "when it starts again"
        )
        yield RuleClause(text, next(iter(ceasing.values())))


def _applying(severity: Severity, settings: Settings) -> Iterator[str]:
    for rule in RULES:
        if rule.severity is severity and rule.applies(settings):
            yield rule.name.value


def _ceasing(
    rules: Rules, before: Settings, after: Settings, today: dt.date
) -> Mapping[str, Mapping[str, FieldPath]]:
    """Return by place the rules that are no longer enforced, each with the field that says so."""
    found: dict[str, dict[str, FieldPath]] = {}
    left, own = rules(after), {each.name for each in before.own}
    for rule in rules(before):
        if rule in left or rule in own:
            is_left = rule in left
            ceased = (
                *_lowered(rule, before, after, is_left),
                *_excepted(rule, before, after, today),
            )
            for where, field in ceased:
                found.setdefault(where, {})[rule] = field
    return found


def _lowered(
    rule: str, before: Settings, after: Settings, is_left: bool
) -> Iterator[tuple[str, FieldPath]]:
    """Yield the namespaces whose mode of the rule is lower; nothing is said of new ones."""
    namespaces = [name for name in after.namespaces if name in before.namespaces]
    lowered = [
        place
        for place in ("", *namespaces)
        if enforces(rule, before, place) and not (is_left and enforces(rule, after, place))
    ]
    if "" in lowered:
        yield "", field_of(rule, after)
    elif lowered:
        namespace = after.namespaces[lowered[0]]
        own = ("teams", namespace.team, "namespaces", lowered[0], "rules", rule)
        is_own = rule in namespace.modes
        yield f" in {few(lowered)}", own if is_own else field_of(rule, after)


def _excepted(
    rule: str, before: Settings, after: Settings, today: dt.date
) -> Iterator[tuple[str, FieldPath]]:
    """Yield the namespaces that a new exception is for, until its end."""
    for index, each in enumerate(after.exceptions):
        is_enforced = all(enforces(rule, side, each.namespace) for side in (before, after))
        is_new = before.mode_of(rule, each.namespace, today) is Mode.ENFORCE
        if each.rule == rule and each.expires >= today and is_enforced and is_new:
            yield f" in {each.namespace} until {each.expires}", ("policies", "exceptions", index)
