from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_karpenter_is_told_which_reservation(faults_after: Callable[..., str]) -> None:
    assert faults_after("eks", ("    reservation: cr-0123456789abcdef0\n", "")) == (
        "sample.yaml:12: pools.h100.reservation: missing; Karpenter requires one where "
        "the purchase is reserved; allowed: ^cr-[0-9a-f]{8,17}$"
    )
