"""Judges settings of culling, which ends workloads that hold GPUs and use none of them."""

import json
from collections.abc import Iterator
from typing import Any

from charts_py.components.rounds import SETTINGS_KEY
from culling.settings import Action
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import source
from policies.document import few, value_at

_FIELD = f'data["{SETTINGS_KEY}"]'


def culling(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    """Yield that culling ends more than before, or that the next round reads other settings."""
    old, new = (_settings(side) for side in change.sides)
    ended = [name for name in _ended(new) if name not in _ended(old)]
    if ended:
        yield Effect(
            Verdict.DISRUPTIVE,
            _FIELD,
            f"From the next round on, idle workloads of {few(ended)} are ended: scaled to 0, "
            "stopped or evicted.",
            source("docs_eviction"),
            told=f"workloads of {few(ended)} on {{clusters}} that leave their GPUs idle are ended",
        )
        return
    reason = "The next round takes it. No workload is ended by it that was not before."
    yield Effect(Verdict.SAFE, _FIELD, reason, source("docs_eviction"), is_certain=False)


def _settings(document: Any) -> dict[str, Any]:
    text = value_at(document, ("data", SETTINGS_KEY))
    return json.loads(text) if isinstance(text, str) else {}


def _ended(settings: dict[str, Any]) -> list[str]:
    return settings["namespaces"] if settings.get("action") == Action.END else []
