"""Pods are shown to the webhook that a rule of the platform team's own looks at."""

from __future__ import annotations

import pytest

from charts_py.components.static_pods import IS_NO_STATIC_POD
from charts_py.components.webhook_configuration.match_conditions import (
    fixed_pod_conditions,
    gpu_pod_conditions,
    match_conditions,
)
from policies.settings import Settings
from policies.settings_own_rule import OwnAudience, OwnRule


@pytest.mark.parametrize(
    ("audience", "shows_all"), [(OwnAudience.ALL_PODS, True), (OwnAudience.GPU_PODS, False)]
)
def test_a_rule_on_all_pods_has_all_of_them_shown(audience: OwnAudience, shows_all: bool) -> None:
    own = OwnRule("a", "true", "Never.", audience=audience)
    conditions = match_conditions(Settings("test", own=(own,)))
    assert conditions[-1]["expression"].startswith("true || ") is shows_all


@pytest.mark.parametrize(
    ("audience", "apply", "shows_all"),
    [
        (OwnAudience.ALL_PODS, "[]", True),
        (OwnAudience.ALL_PODS, "", False),
        (OwnAudience.GPU_PODS, "[]", False),
    ],
)
def test_a_rule_that_fixes_all_pods_has_all_of_them_fixed(
    audience: OwnAudience, apply: str, shows_all: bool
) -> None:
    settings = Settings("test", own=(OwnRule("a", "true", "No.", audience=audience, apply=apply),))
    shown = [IS_NO_STATIC_POD] if shows_all else gpu_pod_conditions(settings)
    assert fixed_pod_conditions(settings) == shown
