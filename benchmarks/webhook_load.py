"""Asks an HTTPS server the same thing over and over, on connections that stay open."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import uvloop

if TYPE_CHECKING:
    import ssl

_OK = b"HTTP/1.1 200 "
_LENGTH = b"content-length: "
_END_OF_HEAD = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Load:
    """What a server answered."""

    seconds: float
    milliseconds: list[float]
    """Of each answer, sorted."""
    busy: float
    """Share of its core for which the client was busy; near 1 it would measure itself."""

    @property
    def answers(self) -> int:
        """How many."""
        return len(self.milliseconds)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds

    def percentile(self, percent: int) -> float:
        """Return the milliseconds within which that many of a hundred answers came."""
        return self.milliseconds[(self.answers - 1) * percent // 100]


def put_load(
    port: int, tls: ssl.SSLContext, path: str, body: bytes, connections: int, seconds: float
) -> Load:
    """Ask as fast as answers come; raises ConnectionError when one is not HTTP 200."""
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n\r\n"
    return uvloop.run(_put_load(port, tls, head.encode() + body, connections, seconds))


async def _put_load(
    port: int, tls: ssl.SSLContext, request: bytes, connections: int, seconds: float
) -> Load:
    loop = asyncio.get_running_loop()
    clients = [_Client(request) for _ in range(connections)]
    for client in clients:
        await loop.create_connection(
            lambda client=client: client,  # type: ignore[misc] # mypy knows no bound lambda
            "127.0.0.1",
            port,
            ssl=tls,
        )
    start, start_busy = time.perf_counter(), time.process_time()
    for client in clients:
        client.ask()
    await asyncio.sleep(seconds)
    elapsed, busy = time.perf_counter() - start, time.process_time() - start_busy
    answered = [client.close() for client in clients]
    return Load(elapsed, sorted(ms for client in answered for ms in client), busy / elapsed)


class _Client(asyncio.Protocol):
    """One connection with one question at a time."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._answer = b""
        self._asked = 0.0
        self._milliseconds: list[float] = []
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def ask(self) -> None:
        self._answer = b""
        self._asked = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._answer += data
        end = self._answer.find(_END_OF_HEAD)
        if end < 0 or len(self._answer) < end + len(_END_OF_HEAD) + self._length(end):
            return
        if not self._answer.startswith(_OK):
            raise ConnectionError(self._answer[:end].decode())
        self._milliseconds.append((time.perf_counter() - self._asked) * 1000)
        if not self._closing:
            self.ask()

    def _length(self, end: int) -> int:
        start = self._answer.index(_LENGTH) + len(_LENGTH)
        return int(self._answer[start : self._answer.index(b"\r\n", start, end + 2)])

    def close(self) -> list[float]:
        self._closing = True
        self._transport.close()
        return self._milliseconds
