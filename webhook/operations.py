"""What the kubelet and Prometheus ask."""

from dataclasses import dataclass
from http import HTTPStatus

from fastapi import FastAPI, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from webhook.metrics import Metrics


@dataclass
class Readiness:
    """Ready from the start, since files are read before it, until draining."""

    draining: bool = False
    until: float = float("inf")
    """When no more connections are accepted, by the monotonic clock."""


def add_operations(app: FastAPI, readiness: Readiness, metrics: Metrics) -> None:
    async def livez() -> PlainTextResponse:
        return PlainTextResponse("ok\n")

    async def readyz() -> PlainTextResponse:
        if readiness.draining:
            return PlainTextResponse("draining\n", HTTPStatus.SERVICE_UNAVAILABLE)
        return PlainTextResponse("ok\n")

    async def read_metrics() -> Response:
        return Response(metrics.exposition(), media_type=CONTENT_TYPE_LATEST)

    app.get("/livez", response_model=None)(livez)
    app.get("/readyz", response_model=None)(readyz)
    app.get("/metrics", response_model=None)(read_metrics)
