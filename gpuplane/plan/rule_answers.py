"""What rules answer to pods that do not pass, and which of them begin to answer so."""

from collections.abc import Mapping
from enum import IntEnum

from policies.custom_rule import CustomRule, CustomSeverity
from policies.finding import Severity
from policies.rule import Rule
from policies.rule_name import Mode
from policies.rules import RULES
from policies.settings import Settings


class Answer(IntEnum):
    """The answers, from none at all."""

    NONE = 0
    WARNING = 1
    FIX = 2
    """They change the pods, and refuse none of them."""
    REFUSAL = 3


_MOST = {
    Mode.OFF: Answer.NONE,
    Mode.AUDIT: Answer.NONE,
    Mode.WARN: Answer.WARNING,
    Mode.ENFORCE: Answer.REFUSAL,
}


def is_enforced(rule: str, settings: Settings) -> bool:
    """Say whether a rule is enforced anywhere, were there no exceptions."""
    return any(enforces(rule, settings, each) for each in ("", *settings.namespaces))


def enforces(rule: str, settings: Settings, namespace: str) -> bool:
    """Say the same of a namespace; an empty name is any that belongs to no team."""
    return settings.stated_mode_of(rule, namespace) is Mode.ENFORCE


def begin_to(answer: Answer, before: Settings, after: Settings) -> tuple[str, ...]:
    """Return the rules that give an answer, in all namespaces or in some, and gave a milder one.

    Those that find nothing on the cluster, whatever the pod, are none of them.
    """
    # What a new pool adds to what a rule refuses was asked for nowhere before.
    old, new = {**_strongest(before), **_built_in(after)}, _strongest(after)
    places = ("", *after.namespaces)
    idle = {rule.name.value for rule in RULES if not rule.applies(after)}
    return tuple(
        rule
        for rule in new
        if rule not in idle
        and any(
            _answer(rule, new, after, each) is answer > _answer(rule, old, before, each)
            for each in places
        )
    )


def only_warns(rule: str, settings: Settings) -> bool:
    """Say whether a rule refuses nothing even where it is enforced."""
    return _strongest(settings).get(rule) is Answer.WARNING


def refuses(rule: str, settings: Settings, namespace: str) -> bool:
    """Say whether a rule refuses in a namespace, were there no exceptions."""
    return _answer(rule, _strongest(settings), settings, namespace) is Answer.REFUSAL


def _strongest(settings: Settings) -> Mapping[str, Answer]:
    """Return what each rule answers where it is enforced."""
    return {**_built_in(settings), **{rule.name: _of_own(rule) for rule in settings.own}}


def _built_in(settings: Settings) -> Mapping[str, Answer]:
    return {rule.name.value: _of_built_in(rule, settings) for rule in RULES}


def _of_own(rule: CustomRule) -> Answer:
    if rule.severity is CustomSeverity.REFUSE:
        return Answer.REFUSAL
    return Answer.FIX if rule.apply else Answer.WARNING


def _of_built_in(rule: Rule, settings: Settings) -> Answer:
    if rule.severity is Severity.WARN:
        return Answer.WARNING
    if rule.severity is Severity.REFUSE or rule.in_cel.refusals(settings):
        return Answer.REFUSAL
    return Answer.FIX if rule.in_cel.fixes(settings) else Answer.NONE


def _answer(rule: str, strongest: Mapping[str, Answer], settings: Settings, place: str) -> Answer:
    """Return the answer in a namespace; an empty name is any other."""
    most = _MOST[settings.stated_mode_of(rule, place)]
    return min(most, strongest.get(rule, Answer.NONE))
