"""What the API server does with what a rule finds, by the rule's mode in each namespace."""

from collections.abc import Iterator
from enum import StrEnum

from policies.cel.pod import is_in
from policies.cel.text import quote
from policies.finding import Severity
from policies.rule_name import Mode
from policies.settings import Settings


class Action(StrEnum):
    """What is done with a pod, as `validationActions` of a binding name it.

    https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
    """

    DENY = "Deny"
    WARN = "Warn"
    AUDIT = "Audit"


NEVER, ALWAYS = "false", "true"


def action_of(mode: Mode, severity: Severity) -> Action | None:
    """Return what a rule of this mode does with what it finds; None for nothing."""
    match mode:
        case Mode.OFF:
            return None
        case Mode.AUDIT:
            return Action.AUDIT
        case Mode.WARN:
            return Action.WARN
    return Action.WARN if severity is Severity.WARN else Action.DENY


def is_taken(action: Action, rule: str, severity: Severity, settings: Settings) -> str:
    """Return CEL for whether the action is taken on what the rule finds in a namespace."""
    general = action_of(settings.modes.get(rule, settings.mode), severity) is action
    other = [
        name
        for name, mode in _modes(rule, settings)
        if (action_of(mode, severity) is action) is not general
    ]
    taken = ALWAYS if general else NEVER
    if other:
        taken = f"{'!' if general else ''}({is_in(other)})"
    return _with_exceptions(taken, action, rule, settings)


def taken_in(
    action: Action, rule: str, severity: Severity, settings: Settings
) -> frozenset[str] | None:
    """Return the namespaces in which the action may be taken on what the rule finds; None: all."""
    if action_of(settings.modes.get(rule, settings.mode), severity) is action:
        return None
    stated = {name for name, mode in _modes(rule, settings) if action_of(mode, severity) is action}
    excepted = {each.namespace for each in settings.exceptions if each.rule == rule}
    return frozenset(stated | excepted if action is Action.AUDIT else stated)


def _modes(rule: str, settings: Settings) -> Iterator[tuple[str, Mode]]:
    for name, namespace in settings.namespaces.items():
        if rule in namespace.modes:
            yield name, namespace.modes[rule]


def _with_exceptions(taken: str, action: Action, rule: str, settings: Settings) -> str:
    """Return the same, but that an exception lowers the mode to `audit` until it expires."""
    excepted = " || ".join(_excepted(rule, settings))
    if not excepted or (taken == NEVER and action is not Action.AUDIT):
        return taken
    if action is Action.AUDIT:
        return f"({excepted})" if taken == NEVER else f"({taken} || {excepted})"
    return f"!({excepted})" if taken == ALWAYS else f"({taken} && !({excepted}))"


def _excepted(rule: str, settings: Settings) -> Iterator[str]:
    """Yield CEL for whether the rule has an exception, for each day on which some expire."""
    namespaces: dict[str, list[str]] = {}
    for each in settings.exceptions:
        stated = settings.stated_mode_of(rule, each.namespace)
        if each.rule == rule and stated not in (Mode.OFF, Mode.AUDIT):
            namespaces.setdefault(each.expires.isoformat(), []).append(each.namespace)
    for day, names in sorted(namespaces.items()):
        yield f"({is_in(names)} && variables.today <= {quote(day)})"
