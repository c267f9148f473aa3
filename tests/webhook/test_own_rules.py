"""Rules of a platform team's own, in the webhook."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import structlog
from msgspec.structs import replace

from gpus.platform_names import FIXED, JUDGED
from policies.apply import apply
from policies.rules import RULES
from policies.settings import Settings
from policies.settings_error import SettingsError
from policies.settings_json import read_settings, write_settings
from policies.settings_own_rule import OwnAudience, OwnRule
from tests.webhook.pods import SETTINGS, body_of, gpu_pod, request_of
from webhook.admission_round import patch_of
from webhook.live_settings import LiveSettings
from webhook.metrics import Metrics
from webhook.reviewer import Purpose, Reviewer

if TYPE_CHECKING:
    from pathlib import Path

LABEL = OwnRule(
    "data-class",
    '"data" in object.metadata.?labels.orValue({})',
    "The pod has no label data.",
    audience=OwnAudience.ALL_PODS,
    apply='[{"op": dyn("add"), "path": dyn("/metadata/labels"), "value": dyn({"data": "a"})}]',
)
OWN = replace(SETTINGS, own=(LABEL,))
TODAY = dt.date(2026, 11, 21)

_LOADED = """
import json, sys
from policies.settings_json import read_settings
from webhook.reviewer import Reviewer
Reviewer(read_settings(sys.stdin.read()))
print(json.dumps([name for name in sys.modules if "cel" in name.split(".")[0]]))
"""


def _modules(settings: Settings) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED],
        input=write_settings(settings),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(done.stdout))


def test_cel_is_loaded_where_there_are_rules_of_ones_own_alone() -> None:
    assert _modules(SETTINGS) == []
    assert "cel_expr_python" in _modules(OWN)


def test_settings_without_own_rules_are_what_older_webhooks_read() -> None:
    assert "own" not in json.loads(write_settings(SETTINGS))
    assert read_settings(write_settings(SETTINGS)).own == ()
    assert read_settings(write_settings(OWN)) == OWN


def test_mutation_fixes_and_validation_denies() -> None:
    reviewer = Reviewer(OWN, lambda: TODAY)
    body = body_of(request_of(gpu_pod()))
    purposes = (Purpose.MUTATE, Purpose.VALIDATE)
    mutated, validated = (reviewer.review(body, purpose) for purpose in purposes)
    assert "data-class" in [o.finding.rule for o in mutated.outcomes]
    message = json.loads(validated.body)["response"]["status"]["message"]
    assert "data-class: The pod has no label data." in message


@pytest.mark.parametrize(("count", "is_judged"), [(6000, True), (7000, False)])
def test_fixing_a_pod_and_vouching_for_it_share_what_own_rules_may_take(
    count: int, is_judged: bool
) -> None:
    looks = replace(
        LABEL, expression=f"object.spec.volumes.all(v, v.name != '') && {LABEL.expression}"
    )
    pod = gpu_pod(volumes=[{"name": "a"}] * count)
    reviewer = Reviewer(replace(SETTINGS, own=(looks,)), lambda: TODAY)
    apply(pod, patch_of(reviewer.review(body_of(request_of(pod)), Purpose.ADMIT).body))
    annotations = pod["metadata"]["annotations"]
    assert "data-class" in annotations[FIXED]
    assert (JUDGED in annotations) is is_judged


@pytest.mark.parametrize(
    ("left", "expression", "passes"),
    [(0, "'a' + 'b' == 'ab'", False), (0, "'a' != 'b'", True), (-1, "'a' != 'b'", False)],
)
def test_a_reviewer_is_told_what_own_rules_may_make_of_a_review(
    left: int, expression: str, *, passes: bool
) -> None:
    settings = replace(SETTINGS, own=(replace(LABEL, expression=expression, apply=""),))
    reviewer = Reviewer(settings, lambda: TODAY, left_of=lambda _: left)
    answer = reviewer.review(body_of(request_of(gpu_pod())), Purpose.VALIDATE)
    assert ("data-class" in [o.finding.rule for o in answer.outcomes]) is not passes


def test_metrics_count_it_by_its_name() -> None:
    metrics = Metrics()
    answer = Reviewer(OWN, lambda: TODAY).review(body_of(request_of(gpu_pod())), Purpose.VALIDATE)
    metrics.answered("/validate", answer, 0.001)
    labels = {"rule": "data-class", "decision": "denied"}
    name = "gpuplane_webhook_decisions_total"
    assert metrics.registry.get_sample_value(name, labels) == 1


def test_its_failures_and_those_of_all_rules_are_counted_from_zero(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(write_settings(OWN))
    metrics = Metrics()
    LiveSettings(file, metrics, structlog.get_logger())
    samples = (each for family in metrics.registry.collect() for each in family.samples)
    failed = [
        (each.labels["rule"], each.value)
        for each in samples
        if each.name == "gpuplane_webhook_decisions_total"
    ]
    assert failed == [*((rule.name, 0) for rule in RULES), ("data-class", 0)]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (replace(OWN, own=(LABEL, LABEL)), 'own[0].name: "data-class" is the name of two rules'),
        (
            replace(OWN, own=(replace(LABEL, name="host-ipc"),)),
            'own[0].name: "host-ipc" is the name of two rules',
        ),
        (
            replace(OWN, own=(replace(LABEL, expression="object.a"),)),
            "own[0].expression: the expression returns what is known only when it is evaluated",
        ),
        (
            replace(OWN, own=(replace(LABEL, apply="later(object)"),)),
            "own[0].apply: later is unknown at line 1, column 6 of it",
        ),
    ],
)
def test_settings_that_cannot_be_evaluated_are_refused(settings: Settings, problem: str) -> None:
    with pytest.raises(SettingsError) as raised:
        read_settings(write_settings(settings))
    assert str(raised.value) == problem
