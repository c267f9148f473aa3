"""Waiting for what comes soon."""

from __future__ import annotations

import time
from collections.abc import Iterator

_TICK_SECONDS = 0.05


def polls(seconds: float) -> Iterator[None]:
    """Yield at once, then again and again until so many seconds have passed.

    ```python
    for _ in polls(10):
        if is_there():
            return
    raise TimeoutError("not there")
    ```
    """
    deadline = time.monotonic() + seconds
    yield
    while time.monotonic() < deadline:
        time.sleep(_TICK_SECONDS)
        yield
