"""HTTP servers that announce that they are about to stop."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

import uvicorn

from webhook.http.bounded_protocol import BoundedProtocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    import uvicorn

    from webhook.operations import Readiness


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


class DrainingServer(BoundedServer):
    """On the first signal, fails `/readyz`, goes on for a while, then finishes open requests.

    A second signal ends the wait.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        head_seconds: float,
        readiness: Readiness,
        drain_seconds: float,
    ) -> None:
        super().__init__(config, head_seconds)
        self._readiness = readiness
        self._drain_seconds = drain_seconds
        self._deadline = float("inf")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 # uvicorn's
        """Begin to drain. The signal is not raised again afterwards: the exit is orderly."""
        if self._readiness.draining:
            self.should_exit = True
            return
        self._readiness.draining = True
        self._deadline = time.monotonic() + self._drain_seconds

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; called ten times a second."""
        if time.monotonic() >= self._deadline:
            self.should_exit = True
        return await super().on_tick(counter)


class FollowingServer(BoundedServer):
    """Stops when another server does, which also handles the signals."""

    def __init__(
        self, config: uvicorn.Config, head_seconds: float, followed: DrainingServer
    ) -> None:
        super().__init__(config, head_seconds)
        self._followed = followed

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; called ten times a second."""
        if self._followed.should_exit:
            self.should_exit = True
        return await super().on_tick(counter)
