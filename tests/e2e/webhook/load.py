"""Creates of pods by many clients at once, and what became of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from charts_py.objects.document import Document
from tests.e2e.webhook.policy_problems import fixed_of

CLIENTS = 16

Create: TypeAlias = Callable[[Document], Document]
"""Creates a pod; returns it as the API server answers; raises ApiError."""


def create_at_once(create: Create, pods: Iterable[Document]) -> Counter[str | None]:
    """Create pods with all clients; return how many of them which rules fixed.

    Raises the first error.
    """
    with ThreadPoolExecutor(CLIENTS) as executor:
        return Counter(map(fixed_of, executor.map(create, pods)))


@contextmanager
def creating(create: Create, pod: Document) -> Iterator[Counter[str | None]]:
    """Create a pod with all clients, again and again, until the context ends.

    What is yielded holds in the end how many pods which rules fixed. Raises the first error.
    """
    ended = threading.Event()
    fixed: Counter[str | None] = Counter()
    with ThreadPoolExecutor(CLIENTS) as executor:
        clients = [executor.submit(_create_until, ended, create, pod) for _ in range(CLIENTS)]
        try:
            yield fixed
        finally:
            ended.set()
        for client in clients:
            fixed.update(client.result())


def _create_until(ended: threading.Event, create: Create, pod: Document) -> Counter[str | None]:
    fixed: Counter[str | None] = Counter()
    while not ended.is_set():
        fixed[fixed_of(create(pod))] += 1
    return fixed
