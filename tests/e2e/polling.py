"""Waiting for what comes soon."""

import time
from collections.abc import Iterator

_SHORTEST_SECONDS = 0.05
_LONGEST_SECONDS = 0.5
_PART = 0.05
"""Of what has passed, that is waited before the next look: to look often takes the processors from
what is waited for, and Argo CD's Applications are a megabyte each time."""


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
