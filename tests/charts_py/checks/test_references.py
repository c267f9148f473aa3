from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "h100: 24",
            "h10: 24",
            (
                "sample.yaml:45: teams.research.namespaces.research.quota.gpus.h10: unknown "
                'pool "h10"; allowed: h100, a100-mig, a10g; nearest: h100'
            ),
        ),
        (
            "eks",
            "a100-mig: 64",
            "t4: 64",
            (
                "sample.yaml:60: teams.search.namespaces.search.quota.gpus.t4: unknown pool "
                '"t4"; allowed: h100, a100-mig, a10g'
            ),
        ),
    ],
)
def test_a_quota_is_on_a_pool_of_the_cluster(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "[training, batch]",
            "[training, btch]",
            (
                'sample.yaml:40: teams.research.priorities[1]: unknown priority "btch"; '
                "allowed: training, batch; nearest: batch"
            ),
        ),
    ],
)
def test_a_team_uses_priorities_of_the_ladder(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "      namespace: research\n",
            "      namespace: resarch\n",
            (
                'sample.yaml:69: policies.exceptions[0].namespace: unknown namespace "resarch"; '
                "allowed: research, search; nearest: research, search"
            ),
        ),
    ],
)
def test_an_exception_is_for_a_namespace_of_a_team(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


def test_a_team_does_not_use_the_platforms_own_priority(faults_after: Callable[..., str]) -> None:
    assert faults_after("eks", ("[training, batch]", "[training, system]")) == (
        'sample.yaml:40: teams.research.priorities[1]: priority "system" is the platform\'s own; '
        "allowed: training, batch"
    )


def test_a_ladder_without_the_platforms_priority_does_not_have_it(
    faults_after: Callable[..., str],
) -> None:
    without = ("  system: {value: 10000000}\n", "")
    assert faults_after("eks", ("[training, batch]", "[training, system]"), without) == (
        'sample.yaml:39: teams.research.priorities[1]: unknown priority "system"; allowed: '
        "training, batch"
    )
