"""Asks an HTTPS server the same thing over and over, on connections that stay open."""

import asyncio
import ssl
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

import httptools
import uvloop

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The answers of a server under load."""

    seconds: float
    milliseconds: list[float]
    """How long each answer took, sorted."""
    busy: float
    """Share of its core for which the client was busy; near 1 it would measure itself."""
    marked: int = 0
    """How many answers held the mark."""

    @property
    def answers(self) -> int:
        return len(self.milliseconds)

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    def percentile(self, percent: int) -> float:
        """Return the milliseconds within which that many of a hundred answers came."""
        return self.milliseconds[(self.answers - 1) * percent // 100]


@dataclass(frozen=True, slots=True)
class Request:
    """A POST request, and the answers that it expects."""

    path: str
    body: bytes
    headers: tuple[str, ...] = ()
    status: HTTPStatus = HTTPStatus.OK
    mark: bytes = b""
    """Answers that contain it are counted."""

    def encoded(self) -> bytes:
        head = (
            f"POST {self.path} HTTP/1.1",
            f"host: {HOST}",
            *self.headers,
            f"content-length: {len(self.body)}",
        )
        return "\r\n".join((*head, "", "")).encode() + self.body


def put_load(
    port: int, tls: ssl.SSLContext, request: Request, connections: int, seconds: float
) -> LoadResult:
    """Ask as fast as answers come; raise ConnectionError for one of another status."""
    return uvloop.run(_put_load(port, tls, request, connections, seconds))


async def _put_load(
    port: int, tls: ssl.SSLContext, request: Request, connections: int, seconds: float
) -> LoadResult:
    clients = [_Client(request) for _ in range(connections)]
    for client in clients:
        await client.connect(port, tls)
    start, start_busy = time.perf_counter(), time.process_time()
    for client in clients:
        client.ask()
    await asyncio.sleep(seconds)
    elapsed, busy = time.perf_counter() - start, time.process_time() - start_busy
    faults = await asyncio.gather(*(client.end() for client in clients))
    if any(faults):
        raise ConnectionError(next(filter(None, faults)))
    milliseconds = sorted(ms for client in clients for ms in client.milliseconds)
    return LoadResult(
        elapsed, milliseconds, busy / elapsed, sum(client.marked for client in clients)
    )


class _Client(asyncio.Protocol):
    """One connection with one request at a time."""

    _transport: asyncio.Transport
    _parser: httptools.HttpResponseParser

    def __init__(self, request: Request) -> None:
        self.milliseconds: list[float] = []
        self.marked = 0
        self._expected = request
        self._bytes = request.encoded()
        self._body = b""
        self._asked = 0.0
        self._fault = ""
        self._ending = False
        self._gone = asyncio.get_running_loop().create_future()

    async def connect(self, port: int, tls: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, HOST, port, ssl=tls)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def ask(self) -> None:
        self._body = b""
        self._parser = httptools.HttpResponseParser(self)
        self._asked = time.perf_counter()
        self._transport.write(self._bytes)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() != self._expected.status:
            self._fault = self._body.decode()
        # An answer after the end of the turn does not count.
        if self._ending or self._fault:
            self._transport.close()
            return
        self.milliseconds.append((time.perf_counter() - self._asked) * 1000)
        self.marked += self._expected.mark in self._body
        self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._ending and not self._fault:
            self._fault = f"the server closed the connection: {exc}"
        self._gone.set_result(None)

    async def end(self) -> str:
        """Close the connection after the pending answer; return what went wrong."""
        self._ending = True
        await self._gone
        return self._fault
