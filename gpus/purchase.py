"""How nodes are bought."""

from __future__ import annotations

from enum import StrEnum


class Purchase(StrEnum):
    """How the nodes of a pool are bought."""

    RESERVED = "reserved"
    ON_DEMAND = "on-demand"
    SPOT = "spot"
    CAPACITY_BLOCK = "capacity-block"
    """Reserved for some days or weeks; the machines are taken back before the block ends."""

    @property
    def takes_reservation(self) -> bool:
        """Whether the nodes can be taken from a reservation that the pool names."""
        return self in (Purchase.RESERVED, Purchase.CAPACITY_BLOCK)
