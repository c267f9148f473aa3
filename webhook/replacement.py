"""How a worker has another take its place, since own rules have it keep more and more memory."""

from __future__ import annotations

import asyncio
from enum import Enum, auto
from typing import TYPE_CHECKING

from webhook.kept_memory import USED_UP

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from structlog.typing import FilteringBoundLogger

    from webhook.http.draining_server import DrainingServer
    from webhook.live_settings import LiveSettings

_TICK_SECONDS = 0.1


class Word(Enum):
    """What a worker reports to its supervisor."""

    SERVES = auto()
    """It accepts connections."""
    USED_UP = auto()
    """Another should take its place."""


class Replacement:
    """The worker's side: it asks to be replaced, and leaves once the supervisor closes the pipe.

    So it leaves as well where the supervisor is gone.
    """

    def __init__(
        self,
        supervisor: Connection,
        server: DrainingServer,
        settings: LiveSettings,
        log: FilteringBoundLogger,
    ) -> None:
        self._supervisor = supervisor
        self._server = server
        self._settings = settings
        self._log = log

    async def ask(self) -> None:
        """Say that the worker serves, and once that it is used up."""
        while not self._server.started:
            await asyncio.sleep(_TICK_SECONDS)
        asyncio.get_running_loop().add_reader(self._supervisor.fileno(), self._leave)
        self._supervisor.send(Word.SERVES)
        while (kept := self._settings.reviewer.kept) < USED_UP:
            await asyncio.sleep(_TICK_SECONDS)
        self._log.info("own rules have used up a worker", kept_bytes=kept)
        self._supervisor.send(Word.USED_UP)

    def _leave(self) -> None:
        asyncio.get_running_loop().remove_reader(self._supervisor.fileno())
        self._server.leave()
