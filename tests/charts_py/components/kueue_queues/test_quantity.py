"""How Kueue writes numbers down."""

from __future__ import annotations

import pytest

from charts_py.components.kueue_queues.quantity import quantity


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (0, "0"),
        (8, "8"),
        (1000, "1k"),
        (1024, "1024"),
        (1500, "1500"),
        (12_000, "12k"),
        (10**9, "1G"),
        (10**18, "1E"),
        (10**21, "1000E"),
    ],
)
def test_a_number_is_written_as_kubernetes_writes_it_down(count: int, written: str) -> None:
    assert quantity(count) == written
