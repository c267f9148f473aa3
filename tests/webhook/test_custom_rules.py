"""The webhook leaves custom rules to the API server."""

import datetime as dt
import json
import subprocess
import sys

import pytest
from msgspec.structs import replace

from policies.custom_rule import CustomAudience, CustomRule
from policies.in_cel.judged_annotation import judged_by
from policies.rule_name import Mode
from policies.settings import RuleException
from policies.settings_json import SettingsError, read_settings, webhook_settings, write_settings
from tests.webhook.pods import SETTINGS, body_of, gpu_pod, request_of
from webhook.reviewer import Purpose, Reviewer

LABEL = CustomRule(
    "data-class",
    '"data" in object.metadata.?labels.orValue({})',
    "The pod has no label data.",
    audience=CustomAudience.ALL_PODS,
    apply='[{"op": dyn("add"), "path": dyn("/metadata/labels"), "value": dyn({"data": "a"})}]',
)
CUSTOM = replace(SETTINGS, own=(LABEL,))
TODAY = dt.date(2026, 11, 21)

_LOADED = """
import json, sys
from policies.settings_json import read_settings
from webhook.reviewer import Reviewer
Reviewer(read_settings(sys.stdin.read()))
print(json.dumps([name for name in sys.modules if "cel" in name.split(".")[0]]))
"""


def test_the_webhook_loads_no_cel() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED],
        input=write_settings(CUSTOM),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []


def test_settings_without_own_rules_are_what_older_webhooks_read() -> None:
    assert "own" not in json.loads(write_settings(SETTINGS))
    assert read_settings(write_settings(SETTINGS)).own == ()
    assert read_settings(write_settings(CUSTOM)) == CUSTOM


def test_its_settings_name_no_custom_rule() -> None:
    (space, namespace), *_ = SETTINGS.namespaces.items()
    modes = {"data-class": Mode.WARN, "host-ipc": Mode.WARN}
    exceptions = [
        RuleException(rule, space, "moves", "a@b.c", TODAY) for rule in ("data-class", "host-ipc")
    ]
    built_in = {"host-ipc": Mode.WARN}
    assert webhook_settings(
        replace(
            CUSTOM,
            modes=modes,
            namespaces={space: replace(namespace, modes=modes)},
            exceptions=tuple(exceptions),
        )
    ) == replace(
        SETTINGS,
        modes=built_in,
        namespaces={space: replace(namespace, modes=built_in)},
        exceptions=(exceptions[1],),
    )


def test_it_neither_fixes_nor_denies_by_them_and_vouches_as_without_them() -> None:
    assert judged_by(CUSTOM) == judged_by(SETTINGS)
    body = body_of(request_of(gpu_pod()))
    for purpose in Purpose:
        answers = [
            json.loads(Reviewer(settings, lambda: TODAY).review(body, purpose).body)
            for settings in (SETTINGS, CUSTOM)
        ]
        assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ((LABEL, LABEL), 'own[0].name: "data-class" is the name of two rules'),
        ((replace(LABEL, name="host-ipc"),), 'own[0].name: "host-ipc" is the name of two rules'),
    ],
)
def test_settings_that_name_two_rules_alike_are_refused(
    own: tuple[CustomRule, ...], problem: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        read_settings(write_settings(replace(CUSTOM, own=own)))
    assert str(raised.value) == problem
