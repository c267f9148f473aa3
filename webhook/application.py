"""The webhook as a FastAPI application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.routing import Route

from webhook.gate import Gate
from webhook.operations import add_operations
from webhook.review_endpoint import ReviewEndpoint
from webhook.reviewer import Purpose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Receive, Scope, Send
    from structlog.typing import FilteringBoundLogger

    from webhook.gate import Limits
    from webhook.live_settings import LiveSettings
    from webhook.metrics import Metrics
    from webhook.operations import Readiness


class ReviewApplication(FastAPI):
    """A FastAPI application that passes reviews to their endpoints before any middleware.

    FastAPI's middleware and routing take half as long as all rules together.
    """

    def __init__(self, endpoints: Iterable[ReviewEndpoint]) -> None:
        super().__init__(title="gpuplane webhook", openapi_url=None)
        self._endpoints = {endpoint.path: endpoint for endpoint in endpoints}
        for path, endpoint in self._endpoints.items():
            # Starlette's: a FastAPI route would answer 422, which is not a review.
            self.router.routes.append(Route(path, endpoint, methods=["POST"]))

    def endpoint(self, path: str) -> ReviewEndpoint | None:
        """Return the endpoint of a path; None where there is none."""
        return self._endpoints.get(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and scope["method"] == "POST":
            endpoint = self.endpoint(scope["path"])
            if endpoint is not None:
                await endpoint(scope, receive, send)
                return
        await super().__call__(scope, receive, send)


def create_app(
    settings: LiveSettings,
    readiness: Readiness,
    metrics: Metrics,
    log: FilteringBoundLogger,
    limits: Limits,
) -> FastAPI:
    """Make the application that serves a path for each purpose, and those of operations."""
    gate = Gate(limits)
    app = ReviewApplication(
        ReviewEndpoint(purpose, settings, readiness, metrics, log, gate) for purpose in Purpose
    )
    add_operations(app, readiness, metrics)
    return app


def create_operations_app(readiness: Readiness, metrics: Metrics) -> FastAPI:
    """Make the application that serves `/livez`, `/readyz` and `/metrics` alone."""
    app = FastAPI(title="gpuplane webhook operations", openapi_url=None)
    add_operations(app, readiness, metrics)
    return app
