"""What Prometheus answers to queries, or why that cannot be acted upon.

https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from culling.http_endpoint import HttpEndpoint, HttpError

if TYPE_CHECKING:
    from collections.abc import Mapping


_MOST = 1e9
"""More GPUs than a cluster has, and minutes than one was idle: in 1900 years, which have dates."""
_LAST_SECONDS = 1e11
"""In the year 5138."""


class PrometheusError(Exception):
    """Why nothing is known of GPUs."""


@dataclass(frozen=True, slots=True)
class Row:
    """A series at the time of a query."""

    labels: Mapping[str, str]
    value: float
    seconds: float
    """When it was asked for, since the epoch."""


@dataclass(frozen=True, slots=True)
class Prometheus:
    """A Prometheus, or what answers as it does."""

    endpoint: HttpEndpoint

    def rows(self, query: str) -> tuple[Row, ...]:
        """Return what a query yields now.

        Raises PrometheusError, also where the answer comes with warnings: it may be a part of one.
        """
        document = self._answer(query)
        if warnings := document.get("warnings"):
            raise PrometheusError(f"Prometheus answers with warnings: {warnings}")
        try:
            return tuple(_row(each) for each in document["data"]["result"])
        except (KeyError, TypeError, ValueError) as error:
            raise PrometheusError(f"Prometheus answers with no vector: {error!r}") from error

    def _answer(self, query: str) -> Mapping[str, Any]:
        try:
            reply = self.endpoint.request("GET", f"/api/v1/query?{urlencode({'query': query})}")
        except HttpError as error:
            raise PrometheusError(f"Prometheus does not answer: {error}") from error
        if reply.document.get("status") != "success":
            said = reply.document.get("error", "")
            raise PrometheusError(f"Prometheus answers with {reply.status}: {said}")
        return reply.document


def _row(result: Mapping[str, Any]) -> Row:
    seconds, value = map(float, result["value"])
    if not (0 <= value <= _MOST and 0 <= seconds <= _LAST_SECONDS):
        raise ValueError(f"no number of GPUs or minutes, or no time: {value}, {seconds}")
    return Row(dict(result["metric"]), value, seconds)
