"""Waiting for what comes soon."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

_SHORTEST_SECONDS = 0.05
_LONGEST_SECONDS = 0.5
_PART = 0.05
"""Of what has passed, that is waited before the next look: to look often takes the processors from
what is waited for, and Argo CD's Applications are a megabyte each time."""
_PATIENCE_SECONDS = 300.0

Seen = TypeVar("Seen")


def once_seen(
    look: Callable[[], Seen],
    is_it: Callable[[Seen], object] = bool,
    what: str = "what is awaited",
    seconds: float = _PATIENCE_SECONDS,
) -> Seen:
    """Look until it is seen, and return it.

    Raises TimeoutError, with what was seen last, where that takes too long.
    """
    for _ in polls(seconds):
        seen = look()
        if is_it(seen):
            return seen
    raise TimeoutError(f"not within {seconds} s: {what}; seen last: {seen}")


def polls(seconds: float) -> Iterator[None]:
    """Yield at once, then again and again, ever less often, until so many seconds have passed.

    ```python
    for _ in polls(10):
        if is_there():
            return
    raise TimeoutError("not there")
    ```
    """
    start = time.monotonic()
    yield
    while (passed := time.monotonic() - start) < seconds:
        time.sleep(min(max(_SHORTEST_SECONDS, _PART * passed), _LONGEST_SECONDS))
        yield
