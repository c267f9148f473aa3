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
                "allowed: system, training, batch; nearest: batch"
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
