"""How nodes are bought."""

from __future__ import annotations

from enum import StrEnum


class Purchase(StrEnum):
    """How the nodes of a pool are bought."""

    RESERVED = "reserved"
    ON_DEMAND = "on-demand"
    SPOT = "spot"
