"""What the webhook adds to a create of a GPU pod, as a client of the API server sees it.

Run by `make bench-apiserver`. The creates are dry runs, which pass all of admission and are not
stored. They alternate between two namespaces that differ in one thing: the webhook configuration
leaves one of them out by name. Whatever else the machine does affects both.
"""

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.apiserver_cluster import MeasuredCluster, running_cluster
from benchmarks.apiserver_load import CreateLoad, put_creates
from tests.binaries.control_plane import build_control_plane

CLIENTS = (1, 16, 64)
"""Each creates one pod after another, on a connection of its own."""
ROUNDS = 10
SECONDS = 1.5
"""Of each namespace in each round."""
WARM_UP_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of each namespace, one after the other."""

    without: CreateLoad
    reviewed: CreateLoad


@dataclass(slots=True)
class Series:
    """The rounds of so many clients."""

    clients: int
    rounds: list[Round] = field(default_factory=list)

    def row(self) -> list[str]:
        """Return the medians of the rounds."""
        return [
            str(self.clients),
            *self._compared(lambda turn: turn.load.percentile(50)),
            *self._compared(lambda turn: turn.load.percentile(99)),
            *self._compared(lambda turn: turn.load.rate)[:2],
            str(self.creates),
            str(self.not_fixed),
        ]

    @property
    def creates(self) -> int:
        """How many creates the webhook had to review."""
        return sum(each.reviewed.load.answers for each in self.rounds)

    @property
    def not_fixed(self) -> int:
        """How many of them were admitted as they were, because it did not answer in time."""
        return self.creates - sum(each.reviewed.fixed for each in self.rounds)

    @property
    def busy(self) -> float:
        """Share of a core for which the clients were busy; near 1 they would measure themselves."""
        return max(turn.load.busy for each in self.rounds for turn in (each.without, each.reviewed))

    def _compared(self, figure: Callable[[CreateLoad], float]) -> list[str]:
        """Return a figure without the webhook and with it, and what it adds within a round."""
        medians = [
            statistics.median(figure(each.without) for each in self.rounds),
            statistics.median(figure(each.reviewed) for each in self.rounds),
            statistics.median(figure(each.reviewed) - figure(each.without) for each in self.rounds),
        ]
        return [f"{median:.1f}" for median in medians]


def main() -> None:
    """Measure and print."""
    binaries = build_control_plane()
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as logs,
        running_cluster(binaries, Path(folder), Path(logs)) as cluster,
    ):
        measure(cluster, max(CLIENTS), WARM_UP_SECONDS)
        series = [Series(clients) for clients in CLIENTS]
        for _ in range(ROUNDS):
            for each in series:
                each.rounds.append(measure(cluster, each.clients, SECONDS))
    _print(series)


def measure(cluster: MeasuredCluster, clients: int, seconds: float) -> Round:
    """Give each namespace its turn; raise ConnectionError for a create that is refused."""
    return Round(
        put_creates(cluster.without, clients, seconds),
        put_creates(cluster.reviewed, clients, seconds),
    )


def _print(series: list[Series]) -> None:
    table = Table(
        "clients",
        *("p50 ms", "reviewed", "added"),
        *("p99 ms", "reviewed", "added"),
        *("creates/s", "reviewed"),
        *("reviewed creates", "not fixed"),
    )
    for each in series:
        table.add_row(*each.row())
    console = Console(width=120)
    console.print(table)
    console.print(
        f"dry-run creates of a GPU pod, medians of {ROUNDS} rounds; API server, etcd, webhook and "
        f"clients share the cores of this machine, of which the clients used at most "
        f"{max(each.busy for each in series):.0%} of one"
    )


if __name__ == "__main__":
    main()
