"""The webhook as a FastAPI application."""

from fastapi import FastAPI
from starlette.routing import Route
from structlog.typing import FilteringBoundLogger

from webhook.gate import Gate, Limits
from webhook.live_settings import LiveSettings
from webhook.metrics import Metrics
from webhook.operations import Readiness, add_operations
from webhook.review_endpoint import ReviewEndpoint
from webhook.reviewer import Purpose


def create_app(
    settings: LiveSettings,
    readiness: Readiness,
    metrics: Metrics,
    log: FilteringBoundLogger,
    limits: Limits,
) -> FastAPI:
    """Make the application that serves a path for each purpose, and those of operations.

    Its `state.reviews` has the endpoints by path, for who answers without routing and middleware.
    """
    gate = Gate(limits)
    app = FastAPI(title="gpuplane webhook", openapi_url=None)
    app.state.reviews = {}
    for purpose in Purpose:
        path = f"/{purpose.value}"
        endpoint = ReviewEndpoint(path, purpose, settings, readiness, metrics, log, gate)
        app.state.reviews[path] = endpoint
        # Starlette's: a FastAPI route would answer 422, which is not a review.
        app.router.routes.append(Route(path, endpoint, methods=["POST"]))
    add_operations(app, readiness, metrics)
    return app


def create_operations_app(readiness: Readiness, metrics: Metrics) -> FastAPI:
    """Make the application that serves `/livez`, `/readyz` and `/metrics` alone."""
    app = FastAPI(title="gpuplane webhook operations", openapi_url=None)
    app.state.reviews = {}
    add_operations(app, readiness, metrics)
    return app
