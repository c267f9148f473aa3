from __future__ import annotations

import resource

import pytest

from webhook.gate import Limits
from webhook.worker import within_open_files

UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "connections"),
    [
        (1024, 524_288, 2688, 1024),
        (1024, UNLIMITED, 2688, 1024),
        (1024, 1024, None, 192),
        (1024, 2048, 2048, 704),
        (256, 256, None, 1),
        (1_048_576, 1_048_576, None, 1024),
        (UNLIMITED, UNLIMITED, None, 1024),
    ],
)
def test_as_many_connections_are_held_as_a_process_may_open_files(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, connections: int
) -> None:
    allowed: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: allowed.append(limits))
    assert within_open_files(Limits(connections=1024)).connections == connections
    assert allowed == ([] if raised is None else [(raised, hard)])
