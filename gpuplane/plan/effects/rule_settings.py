"""Judges changed settings of the rules, and quotas on resources that pools offer by them."""

import datetime as dt
import json
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from charts_py.components.webhook.server import SETTINGS_KEY
from charts_py.objects.fields import changed_fields
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.looser_rules import own_fixing_rules, unfixed_clauses
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rule_answers import WARNING_ONLY, Answer, begin_to
from gpuplane.plan.rule_clause import RuleClause
from gpuplane.plan.smaller_shared_memory import smaller_shared_memory
from gpuplane.plan.sources import source
from gpuplane.plan.stricter_rules import narrower_settings
from gpuplane.versions.difference_format import shown_value
from policies.document import few, value_at
from policies.quantity import read_quantity
from policies.rule_name import Mode
from policies.settings_json import SettingsError, read_settings, write_settings

_REQUESTS = "requests."
_FIELD = f'data["{SETTINGS_KEY}"]'
_WHEN = (
    "The webhook reads its settings anew once its volume is refreshed, within a minute or so; new "
    "and changed objects alone are judged by them."
)
_AT_ONCE = "The API server judges new and changed objects alone by it, at once."
_MOST_VALUES, _LONGEST_VALUES = 3, 60
_REGISTRIES, _PRIORITIES = "registries", "priorities"
_MODE, _MODES, _EXCEPTIONS, _NAMESPACES = "mode", "modes", "exceptions", "namespaces"
_CAN_REFUSE = (
    *("unequalGpus", "runtimeClass", "gpuRuntimeClasses", "reservedPriorityClasses"),
    *("maxGracePeriodSeconds", "exemptNamespaces", "exemptServiceAccounts"),
)
"""Settings by which rules refuse; which way they change is not judged."""


def rule_settings(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (value_at(side, ("data", SETTINGS_KEY)) or "{}" for side in change.sides)
    verdict, told = _judged(old, new, change.cluster.context.today)
    where = source("docs_config_maps")
    yield Effect(verdict, _FIELD, " ".join((*told, _WHEN)), where, is_certain=False)


def in_tree_rules(before: Platform, after: Platform, today: dt.date) -> Iterator[Effect]:
    """Yield what changes of the rules by which the API server alone judges, by no ConfigMap.

    These are a platform team's own ones, and all where there is no webhook.
    """
    old, new = (policy_settings(each) for each in (before, after))
    names = {rule.name for rule in new.own}
    own = [each for each in begin_to(Answer.REFUSAL, old, new) if each in names]
    refused = (f"The rule {each} refuses pods from now on." for each in own)
    told = (*refused, *_sentences(unfixed_clauses(old, new, "", today, own_fixing_rules)))
    verdict = Verdict.DEFERRED if told else Verdict.SAFE
    if not any(each.cluster.admission.has_webhook for each in (before, after)):
        verdict_of_others, others = _judged(write_settings(old), write_settings(new), today)
        verdict, told = max(verdict, verdict_of_others), (*told, *others)
    if verdict:
        yield Effect(verdict, "", " ".join((*told, _AT_ONCE)), source("docs_validating"))


def _judged(old: str, new: str, today: dt.date | None) -> tuple[Verdict, tuple[str, ...]]:
    """Return what changed settings do, with a sentence for each change."""
    before, after = _settings(old), _settings(new)
    stricter = _stricter_settings(old, new, today or dt.date.min)
    is_stricter = stricter or _is_stricter(before, after, str(today or ""))
    told = _differences(*_untold(stricter, before, after), str(today or ""))
    return Verdict.DEFERRED if is_stricter else Verdict.SAFE, (*stricter, *told)


def _settings(text: str) -> Mapping[str, Any]:
    """Return no settings where their JSON is broken."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, Mapping) else {}


def _stricter_settings(old: str, new: str, today: dt.date) -> tuple[str, ...]:
    """Return sentences; none where this version of gpuplane cannot read one of the settings."""
    try:
        before, after = map(read_settings, (old, new))
    except SettingsError:
        return ()
    unfixed = unfixed_clauses(before, after, "", today)
    smaller = smaller_shared_memory(before, after)
    return _sentences((*narrower_settings(before, after), *unfixed, *smaller))


def _sentences(clauses: Iterable[RuleClause]) -> tuple[str, ...]:
    return tuple(f"{each.text[0].upper()}{each.text[1:]}." for each in clauses)


def _untold(
    told: tuple[str, ...], old: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return both settings without the lists that were told to have lost members, and no more."""
    if not told:
        return old, new
    lost = (_REGISTRIES,) if _is_part(old, new, _REGISTRIES) else ()
    before, after = _namespaces(old), _namespaces(new)
    both = before.keys() & after.keys()
    losing = {name for name in both if _is_part(before[name], after[name], _PRIORITIES)}
    left_out = dict.fromkeys(losing, (_PRIORITIES, "defaultPriority"))
    return _without(old, lost, left_out), _without(new, lost, left_out)


def _is_part(old: Mapping[str, Any], new: Mapping[str, Any], name: str) -> bool:
    return set(old.get(name) or ()) > set(new.get(name) or ()) > set()


def _without(
    side: Mapping[str, Any], names: Container[str], of_namespaces: Mapping[str, Container[str]]
) -> Mapping[str, Any]:
    namespaces = {
        name: _left(namespace, of_namespaces.get(name, ()))
        for name, namespace in _namespaces(side).items()
    }
    return {**_left(side, names), _NAMESPACES: namespaces}


def _left(settings: Mapping[str, Any], names: Container[str]) -> Mapping[str, Any]:
    return {name: value for name, value in settings.items() if name not in names}


def _namespaces(side: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    return side.get(_NAMESPACES) or {}


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], today: str) -> Iterator[str]:
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
    for namespace, rule, was, will_be in _mode_changes(old, new):
        warns = will_be == Mode.ENFORCE and rule in _warning_only(new)
        note = ", and warns" if warns else ""
        yield _mode_change(namespace, rule, f"from {was} to {will_be}{note}")
    told = (_REGISTRIES,) if _is_part(new, old, _REGISTRIES) else ()
    for name in told:
        gained = [each for each in new[name] if each not in old[name]]
        yield f"Images from {few(gained)} are allowed too."
    if left := "; ".join(_other_changes(_without_told(old, told), _without_told(new, told))):
        yield f"Also changed: {left}."


def _without_told(side: Mapping[str, Any], told: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the settings that are not told rule by rule, nor by a sentence of their own."""
    modes = dict.fromkeys(_namespaces(side), (_MODES,))
    return _without(side, (_MODE, _MODES, _EXCEPTIONS, *told), modes)


def _other_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the settings that differ, with their values where these are few and short."""
    for name in sorted({**old, **new}):
        found = tuple(changed_fields(old.get(name), new.get(name), name))
        values = tuple(f"{shown_value(each.old)} becomes {shown_value(each.new)}" for each in found)
        if len(found) > _MOST_VALUES or any(len(text) > _LONGEST_VALUES for text in values):
            yield name
        else:
            yield from (f"{each.path}: {text}" for each, text in zip(found, values, strict=True))


def _exceptions(side: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the last day of each exception, by rule and namespace."""
    return {
        (str(each.get("rule")), str(each.get("namespace"))): str(each.get("expires"))
        for each in side.get(_EXCEPTIONS) or ()
    }


def _mode_changes(
    old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield namespace, rule and both modes where a mode differs; an empty name stands for all."""
    before, after = _modes(old), _modes(new)
    for namespace, rule in sorted({**before, **after}):
        was, will_be = (_mode(side, namespace, rule) for side in (before, after))
        if was != will_be:
            yield namespace, rule, was, will_be


def _mode_change(namespace: str, rule: str, way: str) -> str:
    if not rule:
        return f"Rules go {way}, unless their mode is stated."
    place = f"In {namespace}, the" if namespace else "The"
    return f"{place} rule {rule} goes {way}."


def _modes(side: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the modes that are stated, by namespace and rule."""
    found = {("", ""): side.get(_MODE, Mode.ENFORCE.value)}
    found |= {("", rule): mode for rule, mode in (side.get(_MODES) or {}).items()}
    for name, namespace in _namespaces(side).items():
        found |= {(name, rule): mode for rule, mode in (namespace.get(_MODES) or {}).items()}
    return found


def _mode(modes: Mapping[tuple[str, str], str], namespace: str, rule: str) -> str:
    stated = ((namespace, rule), ("", rule), ("", ""))
    return next(modes[each] for each in stated if each in modes)


def _is_stricter(old: Mapping[str, Any], new: Mapping[str, Any], today: str) -> bool:
    """Say whether a rule may begin to refuse what starts again."""
    warning_only = _warning_only(new)
    return (
        any(_ending_sooner(old, new, today))
        or any(
            will_be == Mode.ENFORCE and rule not in warning_only
            for _, rule, _, will_be in _mode_changes(old, new)
        )
        or _loses_registries(old, new)
        or any(old.get(name) != new.get(name) for name in _CAN_REFUSE)
    )


def _loses_registries(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Say whether images may be refused by where they come from; without a list, none is."""
    before, after = (tuple(side.get(_REGISTRIES) or ()) for side in (old, new))
    return bool(after) and not (before and all(each.startswith(after) for each in before))


def _ending_sooner(old: Mapping[str, Any], new: Mapping[str, Any], today: str) -> Iterator[str]:
    """Yield the rules that refuse again where an exception let pods pass."""
    after, modes, warning_only = _exceptions(new), _modes(new), _warning_only(new)
    for (rule, namespace), until in _exceptions(old).items():
        is_sooner = until >= today and after.get((rule, namespace), "") < until
        is_enforced = _mode(modes, namespace, rule) == Mode.ENFORCE
        if is_sooner and is_enforced and rule not in warning_only:
            yield rule


def _warning_only(side: Mapping[str, Any]) -> frozenset[str]:
    """Return the rules that refuse nothing even where they are enforced."""
    own = side.get("own") or ()
    return WARNING_ONLY.union(rule["name"] for rule in own if rule.get("severity") == "warn")


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
