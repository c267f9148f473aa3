"""HTTP connections that take no more than their share of memory, room and time.

Any minor version of uvicorn may change what is used of it here. So pyproject.toml bounds the
version, and tests/webhook/http/test_uvicorn_internals.py names each attribute and behaviour that is
relied on: https://github.com/Kludex/uvicorn/blob/main/uvicorn/protocols/http/httptools_impl.py
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from webhook.known_clients import KnownClients

Held = TypeVar("Held")
MAX_HEAD_BYTES = 64 * 2**10
"""Bytes of a request without its body: request line, header fields, framing of chunks and trailers.
The API server sends less than one KiB."""
MAX_FIELDS = 128
"""Header fields of a request, each of which takes more memory than it is long."""
MAX_PIPELINED = 8
"""Requests that wait on one connection for the answer before theirs; HTTP/1.1 clients of Go, such
as the API server, send none (https://pkg.go.dev/net/http#Transport)."""
_LINGER_SECONDS = 1.0
"""Seconds for a client to read why it was refused."""


class HeadError(Exception):
    """A request has a head that is not read."""


class BoundedProtocol(HttpToolsProtocol):
    """Takes no more than its share of the server; each method names the attack that it stops.

    No request costs a timer: the server asks its connections regularly. The application limits how
    long a body may take once it has begun, and uvicorn how long a connection may be idle.
    """

    in_use_since = 0.0
    """When it was made, its request began, or its answer ended, whichever was last."""
    _with_body: RequestResponseCycle | None = None
    """The last request whose body has begun."""
    _head_bytes = 0
    """Bytes of the arriving request without its body, at most."""
    _known_by = b""
    """The authority by which its client was known."""
    _has_sent = False
    """Whether anything has come from its client."""

    def __init__(self, most: int, clients: KnownClients | None, *given: Any) -> None:
        """Take at most that many connections; `clients` is None where all clients are let in."""
        super().__init__(*given)
        self._most = most
        self._clients = clients

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # so is uvicorn's
        """Take a place among the connections of the server, if the client is known.

        The attack: more idle connections than there is room for. Where uvicorn counts them
        (`limit_concurrency`), it answers 503 to everybody while they are held.
        """
        super().connection_made(transport)
        if self._clients is not None:
            self._known_by = self._clients.authority
            if refusal := self._clients.refusal(transport):
                self.logger.warning("A client was refused: %s.", refusal)
                self.connections.discard(self)
                transport.abort()
                return
        self.in_use_since = self.loop.time()
        while len(self.connections) > self._most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read what has arrived, as long as the head of a request is not too large.

        The attack: a field, or fields, without end, until the memory is full. uvicorn has a bound
        (`h11_max_incomplete_event_size`) only with h11, which answers half as many reviews.
        """
        if self.transport.is_closing():
            return
        self._has_sent = True
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MAX_HEAD_BYTES or len(self.headers or ()) > MAX_FIELDS:
            self._refuse_head()

    def on_message_begin(self) -> None:
        self.in_use_since = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Take a request, unless its head is too large or too many wait before it.

        The attack: many requests in one write; uvicorn keeps as many as a read holds.
        """
        self.end_head()
        if len(self.pipeline) >= MAX_PIPELINED:
            self.transport.abort()
            raise HeadError
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        self._with_body = self.cycle
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.in_use_since = self.loop.time()
        super().on_response_complete()

    def end_head(self) -> None:
        """Raise HeadError where the head that has ended is too large."""
        is_long = self._head_bytes > MAX_HEAD_BYTES  # perhaps by what follows the head
        if is_long:
            fields = sum(len(name) + len(value) for name, value in self.headers)
            is_long = len(self.url) + fields > MAX_HEAD_BYTES
        if is_long or len(self.headers) > MAX_FIELDS:
            self._refuse_head()
            raise HeadError
        self._head_bytes = 0

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless it was refused already."""
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def close_if_late(self, seconds: float) -> None:
        """Close the connection if it has been its client's turn for longer.

        The attack: requests that come byte by byte, or answers that nobody reads. uvicorn limits
        only the wait for a later request (`timeout_keep_alive`). The connection is closed at once
        and without an answer: a client that does not send may not read either.

        One on which nothing has come yet is idle as between two requests. The transport of Go opens
        connections ahead of need, so an API server keeps some for later, and the review is lost
        that it sends on one as it is closed: https://pkg.go.dev/net/http#Transport
        """
        patience = seconds if self._has_sent else self.timeout_keep_alive
        if self._waits() and self.loop.time() - self.in_use_since > patience:
            self.transport.abort()

    def close_if_no_longer_known(self) -> None:
        """Close the connection, once it is idle, where the authority has been replaced since.

        The attack: a connection that outlives the certificate by which it was let in.
        """
        if self._clients is not None and self._clients.authority != self._known_by:
            self.shutdown()

    def _waits(self) -> bool:
        if self.flow.write_paused:
            return True  # to read what it was answered
        if self.cycle is None or self.cycle.response_complete:
            # uvicorn's timer runs while nothing arrives. Otherwise this waits for a head, or for
            # the rest of a body that was answered before its end.
            return self.timeout_keep_alive_task is None
        return self.cycle.more_body and self._with_body is not self.cycle

    def _make_room(self) -> None:
        others = (each for each in self.connections if isinstance(each, BoundedProtocol))
        by_age = sorted(others, key=lambda each: each.in_use_since)
        idle = busiest_peer({each: each.client[0] if each.client else "" for each in by_age})
        self.connections.discard(idle)
        idle.transport.abort()

    def _refuse_head(self) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # it is being answered something else
            return
        fields = b"content-length: 0\r\nconnection: close\r\n\r\n"
        self.write_answer(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, fields)
        self.transport.close()
        # Closing TLS waits for the client to agree, and reads what it sends instead.
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    def write_answer(self, status: int, *parts: bytes) -> None:
        """Write an answer whole, past the application."""
        self.transport.write(b"".join((STATUS_LINE[status], *parts)))


def busiest_peer(peers: Mapping[Held, str]) -> Held:
    """Return the oldest of those that the peer with the most of them holds; there must be one.

    They are by age, the oldest first, each with the address of its peer. So who takes all there is
    only takes it from itself: an API server holds a few, and keeps them.
    """
    ((busiest, _),) = Counter(peers.values()).most_common(1)
    return next(held for held, peer in peers.items() if peer == busiest)
