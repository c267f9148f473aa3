"""Answers reviews over HTTP: an ASGI application of its own, without middleware."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from webhook.admission_answer import refuse
from webhook.gate import OverloadError
from webhook.log import log_answer
from webhook.request_body import BodyTooLargeError, BodyTooSlowError, DisconnectedError, read_body

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send
    from structlog.typing import FilteringBoundLogger

    from webhook.admission_answer import Answer
    from webhook.gate import Gate
    from webhook.live_settings import LiveSettings
    from webhook.metrics import Metrics
    from webhook.readiness import Readiness
    from webhook.reviewer import Purpose


class ReviewEndpoint:
    """Answers the reviews of one purpose."""

    def __init__(
        self,
        purpose: Purpose,
        settings: LiveSettings,
        readiness: Readiness,
        metrics: Metrics,
        log: FilteringBoundLogger,
        gate: Gate,
    ) -> None:
        self.path = f"/{purpose.value}"
        self._purpose = purpose
        self._settings = settings
        self._readiness = readiness
        self._metrics = metrics
        self._log = log
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        start = time.perf_counter()
        try:
            answer = await self._answer(scope, receive)
        except DisconnectedError:
            return
        await send(self._head(answer))
        await send({"type": "http.response.body", "body": answer.body})
        seconds = time.perf_counter() - start
        self._metrics.answered(self.path, answer, seconds)
        log_answer(self._log, self.path, answer, self._settings.reviewer.settings, seconds)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        try:
            body = await read_body(scope, receive, self._gate)
        except BodyTooLargeError as error:
            return refuse("", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(error))
        except BodyTooSlowError as error:
            return refuse("", HTTPStatus.REQUEST_TIMEOUT, str(error))
        except OverloadError as error:
            return _overloaded(error)
        return self._settings.reviewer.review(body, self._purpose)

    def _head(self, answer: Answer) -> Message:
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(answer.body)),
        ]
        if self._readiness.draining:
            # The client opens its next connection to another replica.
            headers.append((b"connection", b"close"))
        return {"type": "http.response.start", "status": answer.http_status, "headers": headers}


def _overloaded(error: OverloadError) -> Answer:
    """Answer 429, which the API server takes for a failed call.

    So the failure policy of the webhook configuration decides: mutation, which fails open, lets
    the pod pass. A review inside HTTP 200 would deny it. Without a Retry-After header, client-go
    does not try again (https://github.com/kubernetes/client-go/blob/master/rest/with_retry.go).
    """
    return refuse("", HTTPStatus.TOO_MANY_REQUESTS, f"The webhook is overloaded: {error}.")
