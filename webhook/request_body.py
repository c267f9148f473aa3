"""Reads the body of a request within its limits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webhook.gate import MAX_BODY_BYTES, Arrival, LargeBodyError, body_too_large
from webhook.review_head import MAX_HEAD_BYTES

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

    from webhook.gate import Gate


class UnreadBodyError(Exception):
    """A body of which no more than its head was read, since it is too large."""

    def __init__(self, head: bytes | bytearray, error: LargeBodyError) -> None:
        super().__init__(str(error))
        self.head = head
        self.status = error.status


class BodyTooSlowError(Exception):
    """A body took longer than `Limits.body_seconds`, or was dropped for another."""

    def __init__(self, seconds: float, *, is_dropped: bool) -> None:
        late = f"The body did not arrive within {seconds} seconds."
        super().__init__("The body gave way to others, since it was slow." if is_dropped else late)


class DisconnectedError(Exception):
    """The client left before the end of its body."""


async def read_body(scope: Scope, receive: Receive, gate: Gate) -> bytes | bytearray:
    """Return the whole body.

    Raises UnreadBodyError, BodyTooSlowError, DisconnectedError and OverloadError.
    """
    message = await receive()
    first = _part(message)
    if not message.get("more_body"):
        return first
    seconds = gate.limits.body_seconds
    patience = asyncio.timeout(seconds)
    since = asyncio.get_running_loop().time()
    arrival = Arrival(_peer(scope), _stated_size(scope), since, patience)
    try:
        async with patience:
            return await _read_rest(first, receive, gate, arrival)
    except TimeoutError:
        raise BodyTooSlowError(seconds, is_dropped=arrival.is_dropped) from None


async def _read_rest(first: bytes, receive: Receive, gate: Gate, arrival: Arrival) -> bytearray:
    try:
        with gate.admit(arrival):
            body = await _read(first, receive, MAX_BODY_BYTES)
    except LargeBodyError as error:
        arrival.size = MAX_HEAD_BYTES
        with gate.admit(arrival):
            raise UnreadBodyError(await _read(first, receive, MAX_HEAD_BYTES), error) from None
    if len(body) > MAX_BODY_BYTES:
        raise UnreadBodyError(body, body_too_large())
    return body


async def _read(first: bytes, receive: Receive, enough: int) -> bytearray:
    """Return a body to its end, or at least as far as one byte beyond what is enough."""
    body = bytearray(first)
    more = True
    while more and len(body) <= enough:
        message = await receive()
        body += _part(message)
        more = message.get("more_body", False)
    return body


def _part(message: Message) -> bytes:
    if message["type"] != "http.request":
        raise DisconnectedError
    part: bytes = message.get("body", b"")
    return part


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


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
