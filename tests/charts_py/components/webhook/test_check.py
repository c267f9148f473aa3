from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_there_are_no_fewer_replicas_at_most_than_at_least(
    faults_after: Callable[..., str],
) -> None:
    text = "webhook:\n  replicas:\n    min: 4\n    max: 3\npolicies:\n"
    assert faults_after("eks", ("policies:\n", text)) == (
        "sample.yaml:66: webhook.replicas.min: 4 is above the maximum; allowed: at most 3"
    )
