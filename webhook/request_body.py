"""Reads the body of a request within its limits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webhook.gate import MAX_BODY_BYTES, Arrival

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

    from webhook.gate import Gate


class BodyTooLargeError(Exception):
    """A body is longer than `MAX_BODY_BYTES`."""

    def __init__(self) -> None:
        super().__init__(f"The body is larger than {MAX_BODY_BYTES} bytes.")


class BodyTooSlowError(Exception):
    """A body took longer than `Limits.body_seconds`, or was dropped for another."""

    def __init__(self, seconds: float, *, is_dropped: bool) -> None:
        late = f"The body did not arrive within {seconds} seconds."
        super().__init__("The body gave way to others, since it was slow." if is_dropped else late)


class DisconnectedError(Exception):
    """The client left before the end of its body."""


async def read_body(scope: Scope, receive: Receive, gate: Gate) -> bytes | bytearray:
    """Return the whole body.

    Raises BodyTooLargeError, BodyTooSlowError, DisconnectedError and OverloadError.
    """
    size = _stated_size(scope)
    if size > MAX_BODY_BYTES:
        raise BodyTooLargeError
    message = await receive()
    if not message.get("more_body"):
        return _part(message)
    seconds = gate.limits.body_seconds
    patience = asyncio.timeout(seconds)
    since = asyncio.get_running_loop().time()
    arrival = Arrival(_peer(scope), size, since, patience)
    try:
        async with patience:
            with gate.admit(arrival):
                return await _read_rest(_part(message), receive)
    except TimeoutError:
        raise BodyTooSlowError(seconds, is_dropped=arrival.is_dropped) from None


async def _read_rest(first: bytes, receive: Receive) -> bytearray:
    body = bytearray(first)
    more = True
    while more:
        message = await receive()
        body += _part(message)
        if len(body) > MAX_BODY_BYTES:
            raise BodyTooLargeError
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
