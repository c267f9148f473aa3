"""What changed settings of the rules do."""

import json
from typing import Any

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from gpuplane.plan.effect import Verdict
from tests.gpuplane.plan.single_change import planned

WHEN = (
    "The webhook reads its settings anew once its volume is refreshed, within a minute or so; new "
    "and changed objects alone are judged by them."
)
EXCEPTION = {"rule": "host-ipc", "namespace": "research", "expires": "2027-03-31"}


def _reason(old: str, new: str) -> str:
    before, after = ({"data": {SETTINGS_KEY: text}} for text in (old, new))
    found = planned("v1 ConfigMap", before, after, name=SETTINGS_CONFIG_MAP)
    assert found.verdict is Verdict.SAFE
    (effect,) = found.effects
    return effect.reason


def _written(**settings: Any) -> str:
    return json.dumps(settings)


def test_exceptions_are_named_by_rule_namespace_and_end() -> None:
    old, new = _written(exceptions=[]), _written(exceptions=[EXCEPTION])
    exception = "The exception from host-ipc in research, until 2027-03-31,"
    assert _reason(old, new) == f"{exception} is new. {WHEN}"
    assert _reason(new, old) == f"{exception} is gone. {WHEN}"


def test_modes_are_named_by_rule() -> None:
    old = _written(mode="audit", modes={"image-tag": "warn"})
    new = _written(mode="enforce", modes={"image-tag": "audit", "host-ipc": "warn"})
    assert _reason(old, new) == (
        "Rules go from audit to enforce, unless their mode is stated. The rule host-ipc goes from "
        f"the mode of all to warn. The rule image-tag goes from warn to audit. {WHEN}"
    )


def test_what_else_differs_is_named() -> None:
    old, new = _written(pools=[], registries=["a"]), _written(pools=["b"], registries=["c"])
    assert _reason(old, new) == f"Also changed: pools, registries. {WHEN}"


def test_of_settings_that_cannot_be_read_the_plan_says_that_they_are_read_anew() -> None:
    assert _reason("{", "[]") == WHEN
