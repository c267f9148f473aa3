"""Pods that serve metrics in Prometheus' text format, as a test says.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias

from tests.e2e.monitoring.loopback import Reply

Row: TypeAlias = tuple[str, Mapping[str, str]]
"""Name and labels of a series."""


@dataclass(slots=True)
class Exporter:
    """What a pod serves now; a test changes it while it is scraped."""

    rows: dict[str, float] = field(default_factory=dict)
    """Values by series."""
    head: str = ""
    """Type and meaning of its metrics."""
    answers: bool = True

    def set(self, name: str, value: float, **labels: str) -> None:
        """Give a series a value."""
        self.rows[series(name, labels)] = value

    def reply(self) -> Reply:
        """Return what is answered to a scrape."""
        if not self.answers:
            return Reply("", HTTPStatus.SERVICE_UNAVAILABLE)
        rows = (f"{row} {value:g}\n" for row, value in tuple(self.rows.items()))
        return Reply(self.head + "".join(rows))


@dataclass(frozen=True, slots=True)
class Exporters:
    """Those of a cluster, by the name of their pod, which is the path at which each is scraped."""

    pods: Mapping[str, Exporter]

    def answer(self, path: str, _: bytes) -> Reply:
        """Return what the pod answers that a path names."""
        pod = self.pods.get(path.removeprefix("/"))
        return pod.reply() if pod else Reply("", HTTPStatus.NOT_FOUND)


def series(name: str, labels: Mapping[str, str]) -> str:
    """Return a series in the text format."""
    return f"{name}{{{','.join(_pairs(labels))}}}"


def _pairs(labels: Mapping[str, str]) -> Iterable[str]:
    yield from (f'{label}="{value}"' for label, value in labels.items())
