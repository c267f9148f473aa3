"""Judges changed settings of the rules, and quotas on resources that pools offer by them."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments
from policies.document import value_at
from policies.reach import Offer
from policies.settings import Settings
from policies.settings_json import SettingsError, read_settings

_REQUESTS = "requests."
_FIELD = f'data["{SETTINGS_KEY}"]'
_WHEN = (
    "The webhook reads its settings anew once its volume is refreshed, within a minute or so; new "
    "and changed objects alone are judged by them."
)
_MODE, _MODES, _EXCEPTIONS = "mode", "modes", "exceptions"


def rule_settings(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (_settings(side) for side in change.sides)
    reason = " ".join((*_differences(old, new), _WHEN))
    yield Effect(Verdict.SAFE, _FIELD, reason, source("docs_config_maps"), is_certain=False)


def _settings(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return no settings where their JSON is broken."""
    try:
        found = json.loads(value_at(document, ("data", SETTINGS_KEY)) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    before, after = (
        [
            f"The exception from {each.get('rule')} in {each.get('namespace')}, until "
            f"{each.get('expires')},"
            for each in side.get(_EXCEPTIONS) or ()
        ]
        for side in (old, new)
    )
    yield from (f"{each} is new." for each in after if each not in before)
    yield from (f"{each} is gone." for each in before if each not in after)
    if old.get(_MODE) != new.get(_MODE):
        yield f"Rules go from {old.get(_MODE)} to {new.get(_MODE)}, unless their mode is stated."
    modes = old.get(_MODES) or {}, new.get(_MODES) or {}
    for rule in sorted({**modes[0], **modes[1]}):
        was, will_be = (side.get(rule, "the mode of all") for side in modes)
        if was != will_be:
            yield f"The rule {rule} goes from {was} to {will_be}."
    shown = (_MODE, _MODES, _EXCEPTIONS)
    others = [name for name in sorted({**old, **new}) if old.get(name) != new.get(name)]
    if left := [name for name in others if name not in shown]:
        yield f"Also changed: {', '.join(left)}."


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
