"""Judges changed settings of the rules, and quotas on resources that pools offer by them."""

import datetime as dt
import json
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from charts_py.components.webhook.server import SETTINGS_KEY
from charts_py.objects.fields import changed_fields
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.exception_ends import ended_exceptions
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.looser_rules import own_fixing_rules, unfixed_clauses
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rule_answers import Answer, begin_to, only_warns
from gpuplane.plan.rule_clause import RuleClause
from gpuplane.plan.smaller_shared_memory import lower_sizes, smaller_shared_memory
from gpuplane.plan.sources import source
from gpuplane.plan.stricter_rules import narrower_settings
from gpuplane.versions.difference_format import shown_value
from policies.document import few, value_at
from policies.quantity import read_quantity
from policies.rule_name import Mode
from policies.settings import Settings
from policies.settings_json import SettingsError, read_settings, write_settings

_REQUESTS = "requests."
_FIELD = f'data["{SETTINGS_KEY}"]'
_WHEN = (
    "The webhook reads its settings anew once its volume is refreshed, within a minute or so; new "
    "and changed objects alone are judged by them."
)
_AT_ONCE = "The API server judges new and changed objects alone by it, at once."
_MOST_VALUES, _LONGEST_VALUES = 3, 60
_REGISTRIES, _PRIORITIES, _SHARED_MEMORY = "registries", "priorities", "sharedMemory"
_TOLD_BY_RULE = ("mode", "modes", "exceptions")
_NAMESPACES = "namespaces"
_EXEMPT = ("exemptNamespaces", "exemptServiceAccounts")
_CAN_REFUSE = (
    *("unequal_gpus", "runtime_class", "gpu_runtime_classes", "reserved_priority_classes"),
    *("max_grace_period_seconds", "exempt_namespaces", "exempt_service_accounts"),
)
"""Settings by which rules refuse; which way they change is not judged."""


def rule_settings(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    where = source("docs_config_maps")
    texts = (value_at(side, ("data", SETTINGS_KEY)) or "" for side in change.sides)
    try:
        old, new = map(read_settings, texts)
    except SettingsError as error:
        reason = f"Not known: this version of gpuplane cannot read the settings ({error}). {_WHEN}"
        yield Effect(Verdict.DEFERRED, _FIELD, reason, where, is_certain=False, is_known=False)
        return
    verdict, told = _judged(old, new, change.cluster.context.today or dt.date.min)
    yield Effect(verdict, _FIELD, " ".join((*told, _WHEN)), where, is_certain=False)


def may_refuse_more(change: ObjectChange, _: ChangedField) -> bool:
    """Say whether rules may refuse what they took; not known where their settings stay the same."""
    context = change.cluster.context
    old, new = context.settings
    if old is None or new is None or old == new:
        return True
    verdict, _told = _judged(old, new, context.today or dt.date.min)
    return verdict > Verdict.SAFE


def in_tree_rules(before: Platform, after: Platform, today: dt.date) -> Iterator[Effect]:
    """Yield what changes of the rules by which the API server alone judges, by no ConfigMap.

    These are a platform team's own ones, and all where there is no webhook.
    """
    old, new = (policy_settings(each) for each in (before, after))
    names = {rule.name for rule in new.own}
    own = [each for each in begin_to(Answer.REFUSAL, old, new) if each in names]
    told = tuple(f"The rule {each} refuses pods from now on." for each in own)
    if any(each.cluster.admission.has_webhook for each in (before, after)):
        unfixed = unfixed_clauses(old, new, "", today, own_fixing_rules)
        told += _sentences((*unfixed, *ended_exceptions(_of_own(old), new, "", today)))
        verdict = Verdict.DEFERRED if told else Verdict.SAFE
    else:
        verdict, others = _judged(old, new, today)
        told += others
    if verdict:
        yield Effect(verdict, "", " ".join((*told, _AT_ONCE)), source("docs_validating"))


def _of_own(settings: Settings) -> Settings:
    """Return the settings with those exceptions alone that are from custom rules."""
    names = {rule.name for rule in settings.own}
    exceptions = tuple(each for each in settings.exceptions if each.rule in names)
    return replace(settings, exceptions=exceptions)


def _judged(old: Settings, new: Settings, today: dt.date) -> tuple[Verdict, tuple[str, ...]]:
    """Return what changed settings do, with a sentence for each change."""
    unfixed = unfixed_clauses(old, new, "", today)
    stricter = (*narrower_settings(old, new), *unfixed, *smaller_shared_memory(old, new))
    may_refuse = (
        stricter
        or begin_to(Answer.REFUSAL, old, new)
        or any(ended_exceptions(old, new, "", today))
        or any(getattr(old, name) != getattr(new, name) for name in _CAN_REFUSE)
    )
    verdict = Verdict.DEFERRED if may_refuse else Verdict.SAFE
    return verdict, (*_sentences(stricter), *_differences(old, new, stricter, today))


def _sentences(clauses: Iterable[RuleClause]) -> tuple[str, ...]:
    return tuple(f"{each.text[0].upper()}{each.text[1:]}." for each in clauses)


def _differences(
    old: Settings, new: Settings, told: Iterable[RuleClause], today: dt.date
) -> Iterator[str]:
    """Yield a sentence for each difference that no clause has told."""
    yield from _exception_changes(old, new, today)
    for namespace, rule, was, will_be in _mode_changes(old, new):
        warns = will_be is Mode.ENFORCE and only_warns(rule, new)
        yield _mode_change(
            namespace, rule, f"from {was} to {will_be}{', and warns' if warns else ''}"
        )
    gains = set(old.registries) < set(new.registries) and old.registries
    if gains:
        gained = [each for each in new.registries if each not in old.registries]
        yield f"Images from {few(gained)} are allowed too."
    fields = {each.field for each in told}
    loses = ("policies", _REGISTRIES) in fields and set(old.registries) > set(new.registries)
    left_out = (*_TOLD_BY_RULE, *((_REGISTRIES,) if gains or loses else ()))
    left_out += _EXEMPT if ("policies", "exempt") in fields else ()
    sides = (_untold(side, old, new, left_out) for side in (old, new))
    if left := "; ".join(_other_changes(*sides)):
        yield f"Also changed: {left}."


def _untold(
    side: Settings, old: Settings, new: Settings, left_out: Container[str]
) -> Mapping[str, Any]:
    """Return what a side writes, without what is told otherwise."""
    written = json.loads(write_settings(side))
    namespaces = {
        name: _left(namespace, ("modes", *_told_of_namespace(name, old, new)))
        for name, namespace in written[_NAMESPACES].items()
    }
    sizes = _left(written[_SHARED_MEMORY], lower_sizes(old, new))
    return {**_left(written, left_out), _NAMESPACES: namespaces, _SHARED_MEMORY: sizes}


def _told_of_namespace(name: str, old: Settings, new: Settings) -> tuple[str, ...]:
    """Return the settings of which a clause says that a namespace loses them."""
    was, will_be = (side.namespaces.get(name) for side in (old, new))
    if was is None or will_be is None:
        return ()
    is_less = set(was.priorities) > set(will_be.priorities) > set()
    told = (_PRIORITIES, "defaultPriority") if is_less else ()
    return (*told, "spot") if was.spot and not will_be.spot else told


def _left(settings: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in names}


def _exception_changes(old: Settings, new: Settings, today: dt.date) -> Iterator[str]:
    before, after = _exceptions(old), _exceptions(new)
    for (rule, namespace), until in sorted({**before, **after}.items()):
        name, was = f"The exception from {rule} in {namespace}", before.get((rule, namespace))
        if was is None:
            yield f"{name}, until {until}, is new."
        elif (rule, namespace) not in after:
            ended = f"which ended on {was}" if was < today else f"until {was}"
            yield f"{name}, {ended}, is gone."
        elif was != until:
            yield f"{name} ends on {until} in place of {was}."


def _exceptions(side: Settings) -> dict[tuple[str, str], dt.date]:
    """Return the last day of each exception, by rule and namespace."""
    return {(each.rule, each.namespace): each.expires for each in side.exceptions}


def _other_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the settings that differ, with their values where these are few and short."""
    for name in sorted({**old, **new}):
        found = tuple(changed_fields(old.get(name), new.get(name), name))
        values = tuple(f"{shown_value(each.old)} becomes {shown_value(each.new)}" for each in found)
        if len(found) > _MOST_VALUES or any(len(text) > _LONGEST_VALUES for text in values):
            yield name
        else:
            yield from (f"{each.path}: {text}" for each, text in zip(found, values, strict=True))


def _mode_changes(old: Settings, new: Settings) -> Iterator[tuple[str, str, Mode, Mode]]:
    """Yield namespace, rule and both modes where a mode differs; an empty name stands for all."""
    for namespace, rule in sorted({*_stated(old), *_stated(new)}):
        was, will_be = (side.stated_mode_of(rule, namespace) for side in (old, new))
        if was is not will_be:
            yield namespace, rule, was, will_be


def _stated(side: Settings) -> Iterator[tuple[str, str]]:
    """Yield the namespaces and rules whose mode is stated."""
    yield "", ""
    yield from (("", rule) for rule in side.modes)
    for name, namespace in side.namespaces.items():
        yield from ((name, rule) for rule in namespace.modes)


def _mode_change(namespace: str, rule: str, way: str) -> str:
    if not rule:
        return f"Rules go {way}, unless their mode is stated."
    place = f"In {namespace}, the" if namespace else "The"
    return f"{place} rule {rule} goes {way}."


def goes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    before, after = _offer_its_resource(change, field)
    return field.is_removed and before and not after


def goes_with_what_it_never_allowed(change: ObjectChange, field: ChangedField) -> bool:
    return goes_with_its_resource(change, field) and read_quantity(field.old) == 0


def comes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    before, after = _offer_its_resource(change, field)
    return field.is_added and after and not before


def _offer_its_resource(change: ObjectChange, field: ChangedField) -> tuple[bool, bool]:
    resource = field.segments[-1].removeprefix(_REQUESTS)
    before, after = change.cluster.offered
    if before is None or after is None:
        return False, False
    return resource in before, resource in after
