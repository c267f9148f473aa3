"""Listens, and bounds the connections whose TLS handshake is under way."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from typing import TYPE_CHECKING, Any

import uvloop

from webhook.http.bounded_protocol import busiest_peer

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Callable
    from ssl import SSLContext


class BoundedLoop(uvloop.Loop):
    """Ends TLS handshakes and shutdowns that take too long, and bounds how many there are.

    uvicorn leaves them at the defaults of 60 and 30 seconds
    (https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.loop.create_server), and
    knows of a connection only after its handshake.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def create_server(  # type: ignore[override] # as uvicorn calls it
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        *,
        sock: socket.socket,
        ssl: SSLContext | None = None,
        **_: object,
    ) -> BoundedListener:
        """Listen on a socket that listens already."""
        seconds = {"ssl_handshake_timeout": self._seconds, "ssl_shutdown_timeout": self._seconds}
        tls = {"ssl": ssl, **seconds} if ssl else {}
        return BoundedListener(self, sock, protocol_factory, **tls)


MAX_BEGINNING = 256
"""Connections whose handshake is under way. uvicorn counts them only afterwards, and each takes
as much memory as one that is idle."""
ACCEPTED_AT_ONCE = 64
"""Before what has arrived on other connections is read."""
_PAUSE_SECONDS = 0.1
"""Before the next is accepted, where the process has no file descriptor left."""
_NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class BoundedListener:
    """What uvicorn takes for a server: gives up the oldest handshake where there are too many."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        listening: socket.socket,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        **tls: Any,
    ) -> None:
        self._loop = loop
        self._listening = listening
        self._protocol_factory = protocol_factory
        self._tls = tls
        self._beginning: dict[asyncio.Task[None], str] = {}
        self._accepts = True
        listening.setblocking(False)
        self._resume()

    def stop_accepting(self) -> None:
        """Leave new connections to whoever else listens on the socket."""
        self._accepts = False
        self._loop.remove_reader(self._listening)

    def close(self) -> None:
        """Accept no more, and give up the handshakes that are under way."""
        self.stop_accepting()
        for task in self._beginning:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until no handshake is under way."""
        await asyncio.gather(*self._beginning, return_exceptions=True)

    def _resume(self) -> None:
        if self._accepts:
            self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                client, address = self._listening.accept()
            except OSError as error:
                if error.errno in _NONE_LEFT:
                    self._give_up_one()
                    self._loop.remove_reader(self._listening)
                    self._loop.call_later(_PAUSE_SECONDS, self._resume)
                return  # none waits, or it is gone again, or another worker took it
            client.setblocking(False)
            self._begin(client, str(address[0]))

    def _begin(self, client: socket.socket, peer: str) -> None:
        if len(self._beginning) >= MAX_BEGINNING:
            self._give_up_one()
        task = self._loop.create_task(self._connect(client))
        self._beginning[task] = peer
        task.add_done_callback(lambda done: self._beginning.pop(done, None))

    async def _connect(self, client: socket.socket) -> None:
        # ssl.SSLError is an OSError: handshakes fail that clients do not end.
        with contextlib.suppress(OSError), contextlib.ExitStack() as unless_connected:
            unless_connected.callback(client.close)
            await self._loop.connect_accepted_socket(self._protocol_factory, client, **self._tls)
            unless_connected.pop_all()

    def _give_up_one(self) -> None:
        if self._beginning:
            task = busiest_peer(self._beginning)
            del self._beginning[task]
            task.cancel()
