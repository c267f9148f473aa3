"""Reads the body of a request within its limits."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from webhook.gate import MAX_BODY_BYTES, MAX_HEAD_BYTES, Arrival, Gate

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope


class UnreadBodyError(Exception):
    """A body that was not read to its end; its head says of which review it is."""

    def __init__(self, head: bytes | bytearray, status: HTTPStatus, problem: str) -> None:
        super().__init__(problem)
        self.head = head
        self.status = status


class DisconnectedError(Exception):
    """The client left before the end of its body."""


async def read_body(scope: Scope, receive: Receive, gate: Gate) -> bytes | bytearray:
    """Return the whole body; raises UnreadBodyError and DisconnectedError."""
    message = await receive()
    first = _part(message)
    if not message.get("more_body"):
        return first
    patience = asyncio.timeout(gate.limits.body_seconds)
    now = asyncio.get_running_loop().time()
    peer = (scope.get("client") or ("",))[0]
    arrival = Arrival(peer, _stated_size(scope), now, patience, bytearray(first))
    try:
        async with patience:
            await _read_rest(arrival, receive, gate)
    except TimeoutError:
        if not arrival.is_dropped:
            problem = f"The review did not arrive within {gate.limits.body_seconds} seconds."
            raise UnreadBodyError(arrival.body, HTTPStatus.REQUEST_TIMEOUT, problem) from None
    if arrival.is_dropped:
        raise UnreadBodyError(arrival.body, HTTPStatus.TOO_MANY_REQUESTS, _GAVE_WAY)
    return arrival.body


async def _read_rest(arrival: Arrival, receive: Receive, gate: Gate) -> None:
    """Read a body to its end, or until it is known to be too large and its head has arrived."""
    clock = asyncio.get_running_loop().time
    enough = MAX_BODY_BYTES
    if is_too_large := arrival.size > MAX_BODY_BYTES:
        arrival.size = enough = MAX_HEAD_BYTES
    with gate.admit(arrival, arrival.on_pace_at):
        more = True
        while more and len(arrival.body) <= enough and not arrival.is_dropped:
            message = await receive()
            arrival.take(_part(message), clock(), gate.limits.pace)
            more = message.get("more_body", False)
    if is_too_large or len(arrival.body) > MAX_BODY_BYTES:
        raise UnreadBodyError(arrival.body, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)


_TOO_LARGE = (
    f"The review is larger than {MAX_BODY_BYTES} bytes in JSON, where <, > and & take six each. "
    "Make its object smaller."
)
_GAVE_WAY = (
    "More reviews are arriving than there is room for, and this one gave way as the slowest. Try "
    "again."
)


def _part(message: Message) -> bytes:
    if message["type"] != "http.request":
        raise DisconnectedError
    part: bytes = message.get("body", b"")
    return part


def _stated_size(scope: Scope) -> int:
    """Return how long the body is, or may be where its headers do not say.

    The HTTP server has checked that the length is digits, and holds the body to it.
    """
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value[:_MAX_SIZE_DIGITS])
    return MAX_BODY_BYTES


_MAX_SIZE_DIGITS = 20
"""Python refuses to parse very long numbers."""
