"""Creates pods over and over, on connections to an API server that stay open."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httptools
import uvloop

from benchmarks.webhook_load import Load
from policies.document import Document

_CREATED = 201


@dataclass(frozen=True, slots=True)
class Creates:
    """What is asked again and again, and whom."""

    port: int
    """Of 127.0.0.1."""
    authority: Path
    """PEM of the authority that signs the server's certificate."""
    token: str
    pod: Document
    mark: bytes
    """Occurs in the answer for a pod that was fixed."""

    def request(self) -> bytes:
        """Return the request of a dry run."""
        body = json.dumps(self.pod).encode()
        head = (
            f"POST /api/v1/namespaces/{self.pod['metadata']['namespace']}/pods?dryRun=All HTTP/1.1",
            "host: 127.0.0.1",
            f"authorization: Bearer {self.token}",
            "content-type: application/json",
            f"content-length: {len(body)}",
        )
        return "\r\n".join((*head, "", "")).encode() + body


@dataclass(frozen=True, slots=True)
class CreateLoad:
    """What the API server answered."""

    load: Load
    fixed: int
    """How many pods carried the mark."""


def put_creates(creates: Creates, clients: int, seconds: float) -> CreateLoad:
    """Create as fast as answers come; raise ConnectionError for one that is not HTTP 201."""
    return uvloop.run(_put_creates(creates, clients, seconds))


async def _put_creates(creates: Creates, clients: int, seconds: float) -> CreateLoad:
    tls = ssl.create_default_context(cafile=str(creates.authority))
    request = creates.request()
    asking = [_Client(request, creates.mark) for _ in range(clients)]
    for client in asking:
        await client.connect(creates.port, tls)
    start, start_busy = time.perf_counter(), time.process_time()
    for client in asking:
        client.ask()
    await asyncio.sleep(seconds)
    elapsed, busy = time.perf_counter() - start, time.process_time() - start_busy
    faults = await asyncio.gather(*(client.end() for client in asking))
    if any(faults):
        raise ConnectionError(next(filter(None, faults)))
    milliseconds = sorted(ms for client in asking for ms in client.milliseconds)
    load = Load(elapsed, milliseconds, busy / elapsed)
    return CreateLoad(load, sum(client.fixed for client in asking))


class _Client(asyncio.Protocol):
    """One connection with one create at a time."""

    def __init__(self, request: bytes, mark: bytes) -> None:
        self.milliseconds: list[float] = []
        self.fixed = 0
        self._request = request
        self._mark = mark
        self._fault = ""
        self._ending = False
        self._gone = asyncio.get_running_loop().create_future()

    async def connect(self, port: int, tls: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", port, ssl=tls)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def ask(self) -> None:
        self._body = b""
        self._parser = httptools.HttpResponseParser(self)
        self._asked = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() != _CREATED:
            self._fault = self._body.decode()
        # An answer after the end of the turn does not count.
        if self._ending or self._fault:
            self._transport.close()
            return
        self.milliseconds.append((time.perf_counter() - self._asked) * 1000)
        self.fixed += self._mark in self._body
        self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._ending and not self._fault:
            self._fault = f"the API server closed the connection: {exc}"
        self._gone.set_result(None)

    async def end(self) -> str:
        """Close the connection after the pending answer; return what went wrong."""
        self._ending = True
        await self._gone
        return self._fault
