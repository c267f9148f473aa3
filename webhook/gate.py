"""Limits what is in progress at once, so that overload is refused and never queued."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Collection, Iterator

MAX_HEAD_BYTES = 8 * 2**10
"""The longest names of everything in it take half of that."""
MAX_BODY_BYTES = 7 * 2**20
"""Bytes of one review. An update holds two objects, so whatever was admitted can be updated."""
LARGE_BODY_BYTES = 256 * 2**10
"""Larger bodies have a bound of their own, within which they give way to each other alone."""
STEP_SECONDS = 0.1
"""Bodies that are behind by as many steps count as equal, and the one that has arrived further
stays. So none that was unread for a moment gives way to whoever begins many at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker takes on at once.

    A body that arrives whole is answered before the next is read, so only bodies that are still
    arriving count.
    """

    bodies: int = 64
    body_bytes: int = 8 * MAX_BODY_BYTES
    """The total size of those above `LARGE_BODY_BYTES`; a single one may be larger."""
    connections: int = 1024
    """Connections of each port; a new one takes the place of one that has been idle for longest, of
    the address with the most. Each carries one review at a time, so this is also how many reviews
    one review may have to wait for."""
    head_seconds: float = 10.0
    """Seconds for a TLS handshake, and again from the first byte of a request to that of its body,
    or to its end where it has none. A connection that takes longer is closed within two seconds."""
    body_seconds: float = 5.0
    """From the first part of a body to its last; the API server waits no longer for an answer."""

    @property
    def pace(self) -> float:
        """Bytes a second by which the largest body arrives in time."""
        return MAX_BODY_BYTES / self.body_seconds


@dataclass(eq=False, slots=True)
class Arrival:
    peer: str
    size: int
    """Bytes of it at most."""
    on_pace_at: float
    """When as much had to have arrived as has, by the clock of the event loop: at first, when its
    first part had."""
    patience: asyncio.Timeout
    body: bytearray
    """What has arrived of it; once it is dropped, no more than the head of a review."""
    is_dropped: bool = False

    @property
    def large(self) -> int:
        """Its bytes where it is large, else 0."""
        return self.size if self.size > LARGE_BODY_BYTES else 0

    def take(self, part: bytes, now: float, pace: float) -> None:
        """Add a part; what is ahead of the pace earns nothing for later."""
        self.body += part
        self.on_pace_at = min(now, self.on_pace_at + len(part) / pace)

    def steps_behind(self, now: float) -> int:
        return int((now - self.on_pace_at) / STEP_SECONDS)

    def drop(self, now: float) -> None:
        """Wait for it no longer, and keep of it only what says which review it is."""
        self.is_dropped = True
        del self.body[MAX_HEAD_BYTES:]
        if not self.patience.expired():
            self.patience.reschedule(now)


class Gate:
    """Holds the bodies that are arriving, in the order in which they began.

    The attack: bodies that come slowly, which take memory and never end. A cap on each body leaves
    1,024 times as much, and to refuse new ones leaves whoever holds all places in them.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._arriving: dict[Arrival, None] = {}

    @contextmanager
    def admit(self, arrival: Arrival, now: float) -> Iterator[None]:
        """Take on a body, whatever is arriving already.

        Where there is no room it takes the place of the one that is furthest behind; a large one,
        of as many large ones as it needs.
        """
        while len(self._arriving) >= self.limits.bodies:
            self._drop_one(self._arriving, now)
        while arrival.large and (large := [each for each in self._arriving if each.large]):
            if sum(each.large for each in large) + arrival.large <= self.limits.body_bytes:
                break
            self._drop_one(large, now)
        self._arriving[arrival] = None
        try:
            yield
        finally:
            self._arriving.pop(arrival, None)

    def _drop_one(self, among: Collection[Arrival], now: float) -> None:
        """Drop the one that is furthest behind, as often as its address holds others.

        So who sends slowly only takes places from itself, from however many addresses it does, and
        who sends fast from one address takes none from others. Where nobody is behind, it is the
        one that has arrived least; among equal ones, the oldest.
        """
        held = Counter(each.peer for each in among)

        def rank(each: Arrival) -> tuple[int, int, int]:
            count = held[each.peer]
            return each.steps_behind(now) * count, count, -len(each.body)

        arrival = max(among, key=rank)
        del self._arriving[arrival]
        arrival.drop(now)
