"""Limits what is in progress at once, so that overload is refused and never queued."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webhook.first_to_go import first_to_go

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

MAX_BODY_BYTES = 7 * 2**20
"""Of one review. The API server admits objects of up to 3 MiB (`MaxRequestBodyBytes` in
https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/server/config.go),
and an update holds two."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker takes on at once.

    A body that arrives whole is answered before the next is read, so only bodies that are still
    arriving count.
    """

    bodies: int = 64
    """Bodies that are still arriving."""
    body_bytes: int = 8 * MAX_BODY_BYTES
    """Their total size."""
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
    slow_seconds: float = 1.0
    """After which a body that is still arriving may be dropped for another. An API server sends a
    review at once, however large it is."""


class OverloadError(Exception):
    """More is in progress than the limits allow."""


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
    is_dropped: bool = field(default=False, init=False)
    """Whether another took its place."""


class Gate:
    """Holds the bodies that are arriving, in the order in which they began."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._arriving: dict[Arrival, str] = {}
        """Each with its peer."""
        self._bytes = 0

    @contextmanager
    def admit(self, arrival: Arrival) -> Iterator[None]:
        """Take on a body; raises OverloadError.

        Where there is no room it takes the place of slow ones, or else of those of a peer that has
        more than its own. The patience with those ends at once.
        """
        while not self._has_room(arrival.size):
            self._drop_one_for(arrival)
        self._arriving[arrival] = arrival.peer
        self._bytes += arrival.size
        try:
            yield
        finally:
            self._forget(arrival)

    def _has_room(self, size: int) -> bool:
        limits = self.limits
        return len(self._arriving) < limits.bodies and self._bytes + size <= limits.body_bytes

    def _drop_one_for(self, arrival: Arrival) -> None:
        dropped = self._slowest(arrival) or self._of_greedier(arrival.peer)
        if dropped is None:
            raise OverloadError(
                f"{len(self._arriving)} bodies of {self._bytes} bytes are arriving already"
            )
        self._forget(dropped)
        dropped.is_dropped = True
        if not dropped.patience.expired():
            dropped.patience.reschedule(arrival.since)

    def _slowest(self, arrival: Arrival) -> Arrival | None:
        latest = arrival.since - self.limits.slow_seconds
        slow = {each: peer for each, peer in self._arriving.items() if each.since < latest}
        return first_to_go(slow) if slow else None

    def _of_greedier(self, peer: str) -> Arrival | None:
        """Return the oldest of the peer with the most bodies; None where this one has as many."""
        peers = list(self._arriving.values())
        oldest = first_to_go(self._arriving) if peers else None
        return oldest if oldest and peers.count(oldest.peer) > peers.count(peer) else None

    def _forget(self, arrival: Arrival) -> None:
        if self._arriving.pop(arrival, None) is not None:
            self._bytes -= arrival.size
