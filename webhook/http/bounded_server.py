"""The server of a port: whom it lets in, whom it waits for, and how it stops."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, cast

import uvicorn

from webhook.gate import Limits
from webhook.http.bounded_protocol import BoundedProtocol, busiest_peer
from webhook.http.review_protocol import ReviewProtocol
from webhook.known_clients import KnownClients
from webhook.operations import Readiness

MAX_BEGINNING = 256
"""Connections whose handshake is under way, each of which takes as much memory as one that is
idle."""
_PAUSE_SECONDS = 0.1
"""Before the next connection is accepted, where the process has no file descriptor left."""
_TICKS_PER_SECOND = 10


class BoundedServer(uvicorn.Server):
    """Asks its connections once a second whether they are late, and drains before it stops.

    On the first signal `/readyz` fails and the server goes on for a while, since uvicorn alone
    would close the port while API servers still open connections to it. A second signal ends the
    wait. Servers of the same readiness stop together, whichever of them is signalled.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        limits: Limits,
        readiness: Readiness,
        drain_seconds: float,
        clients: KnownClients | None = None,
    ) -> None:
        super().__init__(config)
        self._limits = limits
        self._readiness = readiness
        self._drain_seconds = drain_seconds
        self._clients = clients

    async def startup(self, sockets: Sequence[socket.socket] | None = None) -> None:
        """Accept connections on sockets that listen already."""
        seconds, tls = self._limits.head_seconds, self.config.ssl
        timeouts = {"ssl_handshake_timeout": seconds, "ssl_shutdown_timeout": seconds}
        options = {"ssl": tls, **timeouts} if tls else {}
        listeners = [BoundedListener(each, self._connection, options) for each in sockets or ()]
        self.servers = cast("list[asyncio.base_events.Server]", listeners)
        self.started = True

    def _connection(self) -> ReviewProtocol:
        most = self._limits.connections
        return ReviewProtocol(most, self._clients, self.config, self.server_state, {})

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 # uvicorn's
        """Begin to drain. The signal is not raised again afterwards: the exit is orderly."""
        seconds = 0.0 if self._readiness.draining else self._drain_seconds
        self._readiness.draining = True
        self._readiness.until = time.monotonic() + seconds

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; called ten times a second."""
        if counter % _TICKS_PER_SECOND == 0:
            for connection in cast("list[BoundedProtocol]", list(self.server_state.connections)):
                connection.close_if_late(self._limits.head_seconds)
                connection.close_if_no_longer_known()
        self.should_exit = time.monotonic() >= self._readiness.until
        return await super().on_tick(counter)


class BoundedListener:
    """Accepts connections, and gives up a handshake for a new one where there are too many.

    The attack: thousands of connections that never begin TLS, until the memory is full and nobody
    else finds room. A server of asyncio waits a minute for each handshake, without a bound on
    their number, and shows uvicorn a connection only afterwards.
    """

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.BaseProtocol],
        options: dict[str, Any],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listening = listening
        self._protocol = protocol
        self._options = options
        self._beginning: dict[asyncio.Task[None], str] = {}
        listening.setblocking(False)
        self._accepting = self._loop.create_task(self._accept())

    def close(self) -> None:
        """Accept no more, and give up the handshakes that are under way."""
        for task in (self._accepting, *self._beginning):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until no handshake is under way."""
        await asyncio.gather(self._accepting, *self._beginning, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                client, address = await self._loop.sock_accept(self._listening)
            except OSError:  # no file descriptor is left, or who came is gone again
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if len(self._beginning) >= MAX_BEGINNING:
                given_up = busiest_peer(self._beginning)
                del self._beginning[given_up]
                given_up.cancel()
            task = self._loop.create_task(self._connect(client))
            self._beginning[task] = str(address[0])
            task.add_done_callback(lambda done: self._beginning.pop(done, None))

    async def _connect(self, client: socket.socket) -> None:
        # ssl.SSLError is an OSError: handshakes fail that clients do not end.
        with contextlib.suppress(OSError), contextlib.ExitStack() as unless_connected:
            unless_connected.callback(client.close)
            await self._loop.connect_accepted_socket(self._protocol, client, **self._options)
            unless_connected.pop_all()
