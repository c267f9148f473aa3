"""Answers reviews over HTTP: an ASGI application of its own, without middleware."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webhook.log import log_answer
from webhook.request_body import DisconnectedError, UnreadBodyError, read_body

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send
    from structlog.typing import FilteringBoundLogger

    from webhook.admission_answer import Answer
    from webhook.gate import Gate
    from webhook.live_settings import LiveSettings
    from webhook.metrics import Metrics
    from webhook.operations import Readiness
    from webhook.reviewer import Purpose


@dataclass(frozen=True, slots=True)
class ReviewEndpoint:
    """Answers the reviews of one purpose."""

    path: str
    purpose: Purpose
    settings: LiveSettings
    readiness: Readiness
    """While it drains, connections are closed after an answer, so that clients go elsewhere."""
    metrics: Metrics
    log: FilteringBoundLogger
    gate: Gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = time.perf_counter()
        is_read = True
        try:
            answer = self.review(await read_body(scope, receive, self.gate))
        except DisconnectedError:
            return
        except UnreadBodyError as error:
            reviewer, is_read = self.settings.reviewer, False
            answer = reviewer.turn_away(error.head, self.purpose, error.status, str(error))
        # Whoever closes on what is still unread resets the connection, and the answer may be lost.
        closes = self.readiness.draining and is_read
        status, headers = answer.http_status, self.headers(answer, closes=closes)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})
        self.record(answer, time.perf_counter() - start)

    def review(self, body: bytes | bytearray) -> Answer:
        """Judge a review. Raises nothing, whatever the body holds."""
        return self.settings.reviewer.review(body, self.purpose)

    def headers(self, answer: Answer, *, closes: bool) -> list[tuple[bytes, bytes]]:
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(answer.body)),
        ]
        if closes:
            headers.append((b"connection", b"close"))
        return headers

    def record(self, answer: Answer, seconds: float) -> None:
        """Count and log an answer that was sent, and how long it took."""
        self.metrics.answered(self.path, answer, seconds)
        log_answer(self.log, self.path, answer, self.settings.reviewer.settings, seconds)
