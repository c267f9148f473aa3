"""Alerts on GPUs that are held and not used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_usage.rules import usage_alerts, usage_groups

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

IDLE, LOW_USE, OVER_BUDGET = (alert.name for alert in usage_alerts())


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("training", set()),
        ("amd", {LOW_USE}),
        # Nothing of it is measured.
        ("described", {IDLE, LOW_USE}),
    ],
)
def test_they_are_there_where_use_is_measured_and_pods_wait_only_where_quotas_name_pools(
    example: Callable[[str], Platform],
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    name: str,
    missing: set[str],
) -> None:
    platform = example(name) if name == "training" else platform_of(sample(name))
    there = {alert.name for group in usage_groups(platform) for alert in group.alerts}
    assert {IDLE, LOW_USE} - there == missing
