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
            "cr-0123456789abcdef0",
            "h100",
            (
                'sample.yaml:17: pools.h100.reservation: "h100" is no reservation of eks; '
                "allowed: ^cr-[0-9a-f]{8,17}$"
            ),
        ),
        (
            "onprem",
            "    nodes: {max: 1}\n",
            ("    nodes: {max: 1}\n    purchase: reserved\n    reservation: rack-7\n"),
            (
                "sample.yaml:39: pools.mi300x.reservation: onprem has no reservations; allowed: "
                "no reservation"
            ),
        ),
    ],
)
def test_a_reservation_is_one_of_the_provider(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "purchase: reserved",
            "purchase: spot",
            (
                "sample.yaml:17: pools.h100.reservation: the purchase is spot, which takes no "
                'reservation; allowed: only with purchase "reserved"'
            ),
        ),
    ],
)
def test_only_reserved_nodes_take_a_reservation(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
