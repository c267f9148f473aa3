"""Judges changed settings of the rules, and quotas on resources that pools offer by them."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from charts_py.objects.fields import changed_fields
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import source
from gpuplane.plan.stricter_rules import narrower_settings
from gpuplane.versions.comparison import PlacedDocuments
from gpuplane.versions.difference_format import shown_value
from policies.document import value_at
from policies.quantity import read_quantity
from policies.reach import Offer
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
_REGISTRIES, _PRIORITIES = "registries", "priorities"
_MODE, _MODES, _EXCEPTIONS, _NAMESPACES = "mode", "modes", "exceptions", "namespaces"
_CAN_REFUSE = (
    *("registries", "unequalGpus", "runtimeClass", "gpuRuntimeClasses", "reservedPriorityClasses"),
    *("maxGracePeriodSeconds", "exemptNamespaces", "exemptServiceAccounts"),
)
"""Settings by which rules refuse; which way they change is not judged."""


def rule_settings(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    texts = [value_at(side, ("data", SETTINGS_KEY)) or "{}" for side in change.sides]
    old, new = map(_settings, texts)
    stricter = _stricter_settings(*texts)
    reason = " ".join((*stricter, *_differences(*_untold(stricter, old, new)), _WHEN))
    verdict = Verdict.DEFERRED if stricter or _is_stricter(old, new) else Verdict.SAFE
    yield Effect(verdict, _FIELD, reason, source("docs_config_maps"), is_certain=False)


def in_tree_rules(before: Platform, after: Platform) -> Iterator[Effect]:
    """Yield what changes of the rules where the API server alone judges pods, by no ConfigMap."""
    if any(each.cluster.admission.has_webhook for each in (before, after)):
        return
    texts = [write_settings(policy_settings(each)) for each in (before, after)]
    old, new = map(_settings, texts)
    stricter = _stricter_settings(*texts)
    if stricter or _is_stricter(old, new):
        reason = " ".join((*stricter, *_differences(*_untold(stricter, old, new)), _AT_ONCE))
        yield Effect(Verdict.DEFERRED, "", reason, source("docs_validating"))


def _settings(text: str) -> Mapping[str, Any]:
    """Return no settings where their JSON is broken."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, Mapping) else {}


def _stricter_settings(old: str, new: str) -> tuple[str, ...]:
    """Return sentences; none where this version of gpuplane cannot read one of the settings."""
    try:
        before, after = map(read_settings, (old, new))
    except SettingsError:
        return ()
    return tuple(f"{each[0].upper()}{each[1:]}." for each in narrower_settings(before, after))


def _untold(
    told: tuple[str, ...], old: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return both settings without the lists that were told to have lost members, and no more."""
    if not told:
        return old, new
    lost = {_REGISTRIES} if _is_part(old, new, _REGISTRIES) else set[str]()
    before, after = old.get(_NAMESPACES) or {}, new.get(_NAMESPACES) or {}
    lost_in = {
        name
        for name in before.keys() & after.keys()
        if _is_part(before[name], after[name], _PRIORITIES)
    }
    left, right = (
        {
            **{key: value for key, value in side.items() if key not in lost},
            _NAMESPACES: {
                name: {
                    key: value
                    for key, value in namespace.items()
                    if name not in lost_in or key not in (_PRIORITIES, "defaultPriority")
                }
                for name, namespace in (side.get(_NAMESPACES) or {}).items()
            },
        }
        for side in (old, new)
    )
    return left, right


def _is_part(old: Mapping[str, Any], new: Mapping[str, Any], name: str) -> bool:
    return set(old.get(name) or ()) > set(new.get(name) or ()) > set()


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    before, after = _exceptions(old), _exceptions(new)
    for (rule, namespace), until in sorted({**before, **after}.items()):
        name, was = f"The exception from {rule} in {namespace}", before.get((rule, namespace))
        if was is None:
            yield f"{name}, until {until}, is new."
        elif (rule, namespace) not in after:
            yield f"{name}, until {was}, is gone."
        elif was != until:
            yield f"{name} ends on {until} in place of {was}."
    for namespace, rule, was, will_be in _mode_changes(old, new):
        yield _mode_change(namespace, rule, f"from {was} to {will_be}")
    if left := "; ".join(_other_changes(_without_modes(old), _without_modes(new))):
        yield f"Also changed: {left}."


def _without_modes(side: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are not told rule by rule."""
    namespaces = {
        name: {key: value for key, value in namespace.items() if key != _MODES}
        for name, namespace in (side.get(_NAMESPACES) or {}).items()
    }
    told = (_MODE, _MODES, _EXCEPTIONS)
    return {name: side[name] for name in side if name not in told} | {_NAMESPACES: namespaces}


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
    for name, namespace in (side.get(_NAMESPACES) or {}).items():
        found |= {(name, rule): mode for rule, mode in (namespace.get(_MODES) or {}).items()}
    return found


def _mode(modes: Mapping[tuple[str, str], str], namespace: str, rule: str) -> str:
    stated = ((namespace, rule), ("", rule), ("", ""))
    return next(modes[each] for each in stated if each in modes)


def _is_stricter(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Say whether a rule may begin to refuse what starts again."""
    before, after = _exceptions(old), _exceptions(new)
    return (
        any(after.get(each, "") < until for each, until in before.items())
        or any(will_be == Mode.ENFORCE for *_, will_be in _mode_changes(old, new))
        or any(old.get(name) != new.get(name) for name in _CAN_REFUSE)
    )


def declared_settings(documents: PlacedDocuments) -> Settings | None:
    """Return the settings of the rules that a version renders; None where it renders none.

    Raises SettingsError where this version of gpuplane cannot read them.
    """
    text = _settings_text(documents)
    return None if text is None else read_settings(text)


def _settings_text(documents: PlacedDocuments) -> str | None:
    for placed, document in documents.items():
        if placed.key.kind == "ConfigMap" and placed.key.name == SETTINGS_CONFIG_MAP:
            text: str = document["data"][SETTINGS_KEY]
            return text
    return None


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
    texts = (_settings_text(side) for side in (change.cluster.before, change.cluster.after))
    before, after = (text is not None and resource in _offered(text) for text in texts)
    return before, after


@lru_cache(maxsize=2)
def _offered(settings: str) -> frozenset[str]:
    """Return what pools offer; both sides are read once, however many quotas ask."""
    try:
        return frozenset(Offer(read_settings(settings).pools).resources)
    except SettingsError:
        return frozenset()
