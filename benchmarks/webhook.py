"""How many reviews a second one worker answers on one core, beside a bare echo of the same body.

Run by `make bench-webhook`. Both serve over TLS to connections that stay open, in short turns, so
that whatever else the machine does affects both.
"""

import os
import ssl
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.load import LoadResult, Request, put_load
from benchmarks.reviewed import FIXES, review, settings
from benchmarks.webhook_servers import MeasuredServer, prepare, serve_echo, serve_webhook, serving
from webhook.reviewer import Purpose, Reviewer

CONNECTIONS = 16
ROUNDS = 10
SECONDS = 1.5
"""How long each server is asked in each round."""
WARM_UP_SECONDS = 1.0


@dataclass(slots=True)
class Contender:
    """A server with what was measured of it."""

    name: str
    server: MeasuredServer
    path: str
    loads: list[LoadResult] = field(default_factory=list)
    microseconds: list[float] = field(default_factory=list)
    """Time of its core for one answer."""

    def run(self, tls: ssl.SSLContext, body: bytes, seconds: float) -> LoadResult:
        return put_load(self.server.port, tls, Request(self.path, body), CONNECTIONS, seconds)

    def measure(self, tls: ssl.SSLContext, body: bytes) -> None:
        before = self.server.cpu_seconds()
        load = self.run(tls, body, SECONDS)
        self.loads.append(load)
        self.microseconds.append((self.server.cpu_seconds() - before) / load.answers * 1e6)

    def row(self) -> list[str]:
        return [
            self.name,
            f"{self._median(lambda load: load.rate):,.0f}",
            f"{self._median(lambda load: load.percentile(50)):.2f}",
            f"{self._median(lambda load: load.percentile(99)):.2f}",
            f"{statistics.median(self.microseconds):.0f}",
            f"{max(load.busy for load in self.loads):.0%}",
        ]

    def _median(self, figure: Callable[[LoadResult], float]) -> float:
        return statistics.median(figure(load) for load in self.loads)


def main() -> None:
    server_core, client_core, *_ = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {client_core})
    body = review()
    fixed = [
        o.finding.rule.value for o in Reviewer(settings()).review(body, Purpose.MUTATE).outcomes
    ]
    if fixed != list(FIXES):
        raise SystemExit(f"the pod needs {fixed}, not {FIXES}")
    with tempfile.TemporaryDirectory() as directory:
        echo, webhook = _measure(Path(directory), body, server_core)
    _print(echo, webhook, len(body))


def _measure(folder: Path, body: bytes, core: int) -> tuple[Contender, Contender]:
    tls = prepare(folder)
    with (
        serving(serve_echo, folder, core) as echo_server,
        serving(serve_webhook, folder, core) as webhook_server,
    ):
        echo = Contender("bare echo", echo_server, "/")
        webhook = Contender("webhook /mutate", webhook_server, "/mutate")
        for contender in (echo, webhook):
            contender.run(tls, body, WARM_UP_SECONDS)
        for _ in range(ROUNDS):
            echo.measure(tls, body)
            webhook.measure(tls, body)
    return echo, webhook


def _print(echo: Contender, webhook: Contender, size: int) -> None:
    table = Table("server", "answers/s", "p50 ms", "p99 ms", "core us an answer", "client busy")
    table.add_row(*echo.row())
    table.add_row(*webhook.row())
    console = Console(width=100)
    console.print(table)
    pairs = zip(echo.loads, webhook.loads, strict=True)
    by_rate = statistics.median(bare.rate / own.rate for bare, own in pairs)
    by_core = statistics.median(webhook.microseconds) / statistics.median(echo.microseconds)
    console.print(
        f"{size} bytes, {CONNECTIONS} connections, one core, medians of {ROUNDS} rounds: "
        f"{by_rate:.2f} times the time of the echo, {by_core:.2f} times its share of the core"
    )


if __name__ == "__main__":
    main()
