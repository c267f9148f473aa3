from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_ladder_without_the_platforms_priority_does_not_have_it(
    faults_after: Callable[..., str],
) -> None:
    without = ("  system: {value: 10000000}\n", "")
    assert faults_after("eks", ("[training, batch]", "[training, system]"), without) == (
        'sample.yaml:39: teams.research.priorities[1]: unknown priority "system"; allowed: '
        "training, batch"
    )
