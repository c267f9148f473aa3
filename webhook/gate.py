"""Limits what is in progress at once, so that overload is refused and never queued."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Collection, Iterator


MAX_HEAD_BYTES = 8 * 2**10
"""The longest names of everything in it take half of that."""
_TOKEN = re.compile(rb'\s*+([{}\[\],:]|"(?:[^"\\]++|\\.)*+"|[^\s{}\[\],:"]++)', re.DOTALL)
_NOT_OF_HEAD = frozenset({b'"userInfo"', b'"object"', b'"oldObject"', b'"dryRun"', b'"options"'})
_IN_REQUEST = 2
"""How deep the members of a request lie."""
_STEPS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_BEFORE_NAME = (b"{", b",")
_AFTER_VALUE = (b"}", b",")
MAX_OBJECT_BYTES = 3 * 2**20
"""Of one object, in the JSON that the API server writes. As much is admitted of a request to it
(`MaxRequestBodyBytes` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/server/config.go),
but what it writes can be longer: it adds defaults, and escapes <, > and & by six characters each
(`HTMLEscape` in https://pkg.go.dev/encoding/json)."""
MAX_BODY_BYTES = 7 * 2**20
"""Of one review. An update holds two objects, so whatever was admitted can be updated."""
LARGE_BODY_BYTES = 256 * 2**10
"""Larger bodies have a bound of their own, within which they give way to each other alone."""
STEP_SECONDS = 0.1
"""Of bodies that are behind by as many of these, the one of which more has arrived stays. So none
gives way for having been unread for a moment to whoever begins many at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker takes on at once.

    A body that arrives whole is answered before the next is read, so only bodies that are still
    arriving count.
    """

    bodies: int = 64
    """Bodies that are still arriving."""
    body_bytes: int = 8 * MAX_BODY_BYTES
    """The total size of those above `LARGE_BODY_BYTES`; a single one may be larger."""
    connections: int = 1024
    """Of each port; a new one takes the place of one that has been idle for longest, of the address
    with the most. Each carries one review at a time, so this is also how many reviews one review
    may have to wait for."""
    head_seconds: float = 10.0
    """For a TLS handshake, and again from its end to the first byte of the first body, or to the
    end of a request without a body. For later requests it counts from their first byte. A
    connection that takes longer is closed within two seconds."""
    body_seconds: float = 5.0
    """From the first part of a body to its last; the API server waits no longer for an answer."""

    @property
    def pace(self) -> float:
        """Bytes a second by which the largest body arrives in time."""
        return MAX_BODY_BYTES / self.body_seconds


@dataclass(eq=False, slots=True)
class Arrival:
    """A body that is arriving."""

    peer: str
    """The address of its client."""
    size: int
    """Bytes of it at most."""
    since: float
    """When its first part had arrived, by the clock of the event loop."""
    patience: asyncio.Timeout
    """Ends the wait for it."""
    body: bytearray
    """What has arrived of it; once it is dropped, no more than the head of a review."""
    is_dropped: bool = field(default=False, init=False)
    """Whether another took its place."""
    _on_pace_at: float = field(init=False)
    """When as much had to have arrived as has."""

    def __post_init__(self) -> None:
        self._on_pace_at = self.since

    @property
    def large(self) -> int:
        """Its bytes where it is large, else 0."""
        return self.size if self.size > LARGE_BODY_BYTES else 0

    def take(self, part: bytes, now: float, pace: float) -> None:
        """Add a part; what is ahead of the pace earns nothing for later."""
        self.body += part
        self._on_pace_at = min(now, self._on_pace_at + len(part) / pace)

    def steps_behind(self, now: float) -> int:
        """Return how far it is behind the pace."""
        return int((now - self._on_pace_at) / STEP_SECONDS)

    def drop(self, now: float) -> None:
        """Wait for it no longer, and keep of it only what says which review it is."""
        self.is_dropped = True
        del self.body[MAX_HEAD_BYTES:]
        if not self.patience.expired():
            self.patience.reschedule(now)


class Gate:
    """Holds the bodies that are arriving, in the order in which they began."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._arriving: dict[Arrival, None] = {}
        self._large_bytes = 0

    @contextmanager
    def admit(self, arrival: Arrival) -> Iterator[None]:
        """Take on a body, whatever is arriving already.

        Where there is no room it takes the place of the one that is furthest behind; a large one,
        of as many large ones as it needs.
        """
        now = arrival.since
        while len(self._arriving) >= self.limits.bodies:
            self._drop(_first_to_give_way(self._arriving, now), now)
        while self._large_bytes and self._is_too_much(arrival.large):
            large = [each for each in self._arriving if each.large]
            self._drop(_first_to_give_way(large, now), now)
        self._arriving[arrival] = None
        self._large_bytes += arrival.large
        try:
            yield
        finally:
            self._forget(arrival)

    def _is_too_much(self, large: int) -> bool:
        return large > 0 and self._large_bytes + large > self.limits.body_bytes

    def _drop(self, arrival: Arrival, now: float) -> None:
        self._forget(arrival)
        arrival.drop(now)

    def _forget(self, arrival: Arrival) -> None:
        if arrival in self._arriving:
            del self._arriving[arrival]
            self._large_bytes -= arrival.large


def _first_to_give_way(arriving: Collection[Arrival], now: float) -> Arrival:
    """Return the one that is furthest behind, as often as its address holds others.

    So who sends slowly only takes places from itself, from however many addresses it does, and who
    sends fast from one address takes none from others. Where nobody is behind, it is the one of
    which least has arrived; of equal ones, the oldest.
    """
    held = Counter(each.peer for each in arriving)

    def rank(each: Arrival) -> tuple[int, int, int]:
        count = held[each.peer]
        return each.steps_behind(now) * count, count, -len(each.body)

    return max(arriving, key=rank)


def head_of(body: bytes | bytearray) -> bytes:
    """Return the head of a review as a review of its own, without an object.

    Of what is not a review it is anything, and of the head no more than `MAX_HEAD_BYTES`.
    """
    head = bytes(body[:MAX_HEAD_BYTES])
    depth = end = position = 0
    before = b""
    for token in _TOKEN.finditer(head):
        text = token[1]
        if token.start() != position or (before in _BEFORE_NAME and text in _NOT_OF_HEAD):
            break
        position, before = token.end(), text
        if depth == _IN_REQUEST and text in _AFTER_VALUE:
            end = token.start()
        depth += _STEPS.get(text, 0)
        if end and depth < _IN_REQUEST:
            break
    return head[:end] + b"}}"
