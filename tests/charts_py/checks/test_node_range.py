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
            "{min: 2, max: 4}",
            "{min: 5, max: 4}",
            "sample.yaml:15: pools.h100.nodes.min: 5 is above max; allowed: at most 4",
        ),
        (
            "eks",
            "{max: 2, warm: 1}",
            "{max: 2, warm: 3}",
            "sample.yaml:22: pools.a100-mig.nodes.warm: 3 is above max; allowed: at most 2",
        ),
    ],
)
def test_a_pool_keeps_no_more_nodes_than_it_may_have(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
