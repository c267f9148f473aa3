"""Policies are in force a while after they are applied: the API server reads of them late."""

from collections.abc import Callable
from typing import TypeVar

from tests.e2e.polling import polls

PATIENCE_SECONDS = 300.0

Seen = TypeVar("Seen")


def once_seen(look: Callable[[], Seen], is_it: Callable[[Seen], object] = bool) -> Seen:
    """Look until it is seen, and return it.

    Raises TimeoutError, with what was seen last, where that takes too long.
    """
    seen = look()
    for _ in polls(PATIENCE_SECONDS):
        if is_it(seen):
            return seen
        seen = look()
    raise TimeoutError(f"policies are not in force after {PATIENCE_SECONDS} s: {seen}")
