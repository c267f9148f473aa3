"""Limits what is in progress at once, so that overload is refused and never queued."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from webhook.first_to_go import first_to_go

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator, Mapping

MAX_OBJECT_BYTES = 3 * 2**20
"""Of one object, in the JSON that the API server writes. As much is admitted of a request to it
(`MaxRequestBodyBytes` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/server/config.go),
but what it writes can be longer: it adds defaults, and escapes <, > and & by six characters each
(`HTMLEscape` in https://pkg.go.dev/encoding/json)."""
MAX_BODY_BYTES = 7 * 2**20
"""Of one review. An update holds two objects, so whatever was admitted can be updated."""
LARGE_BODY_BYTES = 256 * 2**10
"""Larger bodies give way to smaller ones: nobody can keep the pods of others from being judged by
sending many of them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker takes on at once.

    A body that arrives whole is answered before the next is read, so only bodies that are still
    arriving count.
    """

    bodies: int = 64
    """Bodies that are still arriving."""
    body_bytes: int = 8 * MAX_BODY_BYTES
    """The total size of those above `LARGE_BODY_BYTES`."""
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

    @property
    def large(self) -> int:
        """Its bytes where it is large, else 0."""
        return self.size if self.size > LARGE_BODY_BYTES else 0


class LargeBodyError(Exception):
    """A body is too large, by itself or at this moment."""

    def __init__(self, status: HTTPStatus, problem: str) -> None:
        super().__init__(problem)
        self.status = status


class Gate:
    """Holds the bodies that are arriving, in the order in which they began."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._arriving: dict[Arrival, str] = {}
        """Each with its peer."""

    @contextmanager
    def admit(self, arrival: Arrival) -> Iterator[None]:
        """Take on a body; raises OverloadError and LargeBodyError.

        Where there is no room it takes the place of slow ones, or else of those of a peer that has
        more than its own; a large one, only that of large ones. The patience with those ends at
        once.
        """
        if arrival.size > MAX_BODY_BYTES:
            raise body_too_large()
        while len(self._arriving) >= self.limits.bodies:
            if not self._drop_one_for(arrival, self._arriving):
                raise OverloadError(f"{len(self._arriving)} bodies are arriving already")
        while self._large_bytes + arrival.large > self.limits.body_bytes and arrival.large:
            if not self._drop_one_for(arrival, self._large):
                problem = f"Large reviews of {self._large_bytes} bytes are arriving already."
                raise LargeBodyError(HTTPStatus.TOO_MANY_REQUESTS, f"{problem} Try again.")
        self._arriving[arrival] = arrival.peer
        try:
            yield
        finally:
            self._arriving.pop(arrival, None)

    @property
    def _large(self) -> dict[Arrival, str]:
        return {each: peer for each, peer in self._arriving.items() if each.large}

    @property
    def _large_bytes(self) -> int:
        return sum(each.large for each in self._arriving)

    def _drop_one_for(self, arrival: Arrival, among: Mapping[Arrival, str]) -> bool:
        """Drop one of these; return False where none has to go."""
        dropped = self._slowest(arrival, among) or _of_greedier(arrival.peer, among)
        if dropped is None:
            return False
        del self._arriving[dropped]
        dropped.is_dropped = True
        if not dropped.patience.expired():
            dropped.patience.reschedule(arrival.since)
        return True

    def _slowest(self, arrival: Arrival, among: Mapping[Arrival, str]) -> Arrival | None:
        latest = arrival.since - self.limits.slow_seconds
        slow = {each: peer for each, peer in among.items() if each.since < latest}
        return first_to_go(slow) if slow else None


def _of_greedier(peer: str, among: Mapping[Arrival, str]) -> Arrival | None:
    """Return the oldest of the peer with the most bodies; None where this one has as many."""
    peers = list(among.values())
    oldest = first_to_go(among) if peers else None
    return oldest if oldest and peers.count(oldest.peer) > peers.count(peer) else None


def body_too_large() -> LargeBodyError:
    """Return what is raised for a body above `MAX_BODY_BYTES`."""
    problem = (
        f"The review is larger than {MAX_BODY_BYTES} bytes in JSON, where <, > and & take six "
        "each. Make its object smaller."
    )
    return LargeBodyError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem)
