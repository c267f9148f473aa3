"""The event loop of a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvloop

from webhook.http.bounded_listener import BoundedListener

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
