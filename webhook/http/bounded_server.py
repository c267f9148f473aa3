"""An HTTP server that does not wait for its clients."""

from __future__ import annotations

import uvicorn

from webhook.http.bounded_protocol import BoundedProtocol

_TICKS_PER_SECOND = 10


class BoundedServer(uvicorn.Server):
    """Closes connections that are late, or whose client is no longer known.

    It checks once a second.
    """

    def __init__(self, config: uvicorn.Config, head_seconds: float) -> None:
        super().__init__(config)
        self._head_seconds = head_seconds

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; called ten times a second."""
        if counter % _TICKS_PER_SECOND == 0:
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedProtocol):
                    connection.close_if_late(self._head_seconds)
                    connection.close_if_no_longer_known()
        return await super().on_tick(counter)
