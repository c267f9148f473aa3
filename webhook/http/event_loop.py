"""The event loop of a worker."""

from __future__ import annotations

from typing import Any

import uvloop


class TlsBoundLoop(uvloop.Loop):
    """Ends TLS handshakes and shutdowns that take too long.

    uvicorn leaves them at the defaults of 60 and 30 seconds
    (https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.loop.create_server).
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    async def create_server(self, *arguments: Any, **options: Any) -> Any:
        """Listen."""
        if options.get("ssl") is not None:
            options["ssl_handshake_timeout"] = self._seconds
            options["ssl_shutdown_timeout"] = self._seconds
        return await super().create_server(*arguments, **options)
