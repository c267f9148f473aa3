"""HTTP connections that know whether their client is late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webhook.http.uvicorn_internals import HttpToolsProtocol

if TYPE_CHECKING:
    from webhook.http.uvicorn_internals import HTTPScope, RequestResponseCycle


class BoundedProtocol(HttpToolsProtocol):
    """Closes itself when its client is late with a request; its server asks it regularly.

    So a request costs neither a timer nor a look at the clock. The application limits how long a
    body may take once it has begun, and uvicorn how long a connection may be idle.
    """

    _with_body: RequestResponseCycle | None = None
    """The last request whose body has begun."""
    _waited_in: HTTPScope | None = None
    """The last request that had begun by then."""
    _waiting_since: float | None = None

    def on_body(self, body: bytes) -> None:
        """Note that the body has begun."""
        self._with_body = self.cycle
        super().on_body(body)

    def close_if_late(self, seconds: float) -> None:
        """Close the connection if it has waited longer since this was first asked.

        At once and without an answer: a client that does not send may not read either.
        """
        now = self.loop.time()
        if not self._waits():
            self._waiting_since = None
        elif self._waiting_since is None or self._waited_in is not self.scope:
            self._waiting_since, self._waited_in = now, self.scope
        elif now - self._waiting_since > seconds:
            self.transport.abort()

    def _waits(self) -> bool:
        """Return whether it is the client's turn."""
        if self.cycle is None or self.cycle.response_complete:
            # uvicorn's timer runs while nothing arrives. Otherwise this waits for a head, or for
            # the rest of a body that was answered before its end.
            return self.timeout_keep_alive_task is None
        return self.cycle.more_body and self._with_body is not self.cycle
