"""HTTP connections on which a review that arrives whole is answered at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from webhook.http.bounded_protocol import BoundedProtocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI

    from webhook.review_endpoint import ReviewEndpoint


class ReviewProtocol(BoundedProtocol):
    """Answers a review that arrives whole in one write; the application gets everything else.

    The application would need a task, an event and two writes for it, which together cost about as
    much as its rules. A review that arrives in parts is handed over with its first part, so that
    the limits on arriving bodies apply to it.
    """

    _endpoint: ReviewEndpoint | None = None
    """Endpoint of the arriving review; None where the application gets the request."""
    _body = b""
    _start = 0.0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        app = cast("FastAPI", self.config.app)
        self._endpoints: Mapping[str, ReviewEndpoint] = app.state.reviews

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._endpoint is not None:
            self._endpoint = None
            if not self.transport.is_closing():
                super().on_headers_complete()
                if self._body:
                    super().on_body(self._body)

    def on_headers_complete(self) -> None:
        """Take a review, or leave the request to the application."""
        self.end_head()
        self._endpoint = endpoint = self._find_endpoint()
        if endpoint is None:
            super().on_headers_complete()
            return
        self._body = b""
        self._start = time.perf_counter()

    def on_body(self, body: bytes) -> None:
        if self._endpoint is None:
            super().on_body(body)
        else:
            self._body += body

    def on_message_complete(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is None:
            super().on_message_complete()
        else:
            self._answer(endpoint)

    def _find_endpoint(self) -> ReviewEndpoint | None:
        parser = self.parser
        if parser.get_method() != b"POST" or self.expect_100_continue or self.flow.write_paused:
            return None
        if parser.should_upgrade() or not parser.should_keep_alive():
            return None
        if self.cycle is not None and not self.cycle.response_complete:
            return None
        # The API server adds its timeout: /mutate?timeout=2s.
        return self._endpoints.get(self.url.partition(b"?")[0].decode("latin-1"))

    def _answer(self, endpoint: ReviewEndpoint) -> None:
        answer = endpoint.review(self._body)
        closes = endpoint.readiness.draining
        fields = [b"%s: %s\r\n" % field for field in endpoint.headers(answer, closes=closes)]
        self.write_answer(answer.http_status, *fields, b"\r\n", answer.body)
        if closes:
            self.transport.close()
        self.on_response_complete()
        endpoint.record(answer, time.perf_counter() - self._start)
