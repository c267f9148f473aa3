"""What is given up where there is room for no more."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Held = TypeVar("Held")


def first_to_go(peers: Mapping[Held, str]) -> Held:
    """Return the oldest of those that the peer with the most of them holds; there must be one.

    They are by age, the oldest first, each with the address of its peer. So who takes all there is
    only takes it from itself: an API server holds a few, and keeps them.
    """
    ((busiest, _),) = Counter(peers.values()).most_common(1)
    return next(held for held, peer in peers.items() if peer == busiest)
