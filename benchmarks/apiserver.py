"""What admission adds to a create of a GPU pod, as a client of the API server sees it.

Run by `make bench-apiserver`. The creates are dry runs, which pass all of admission and are not
stored. They alternate between namespaces that differ in who fixes and judges pods: nobody, or each
of what `policies.admission` can say. In two more a webhook is called for every pod, without
conditions and policies, which is what the API server itself takes. Whatever else the machine does
affects all of them.
"""

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.apiserver_cluster import MeasuredCluster, running_cluster
from benchmarks.apiserver_releases import ALONE, NAMESPACES, NOBODY
from benchmarks.load import LoadResult
from tests.binaries.control_plane import build_control_plane

CLIENTS = (1, 16, 64)
"""Each creates one pod after another, on a connection of its own."""
ROUNDS = 10
SECONDS = 1.5
"""How long each namespace is asked in each round."""
WARM_UP_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Turn:
    """What one namespace was answered in its turn."""

    load: LoadResult
    cpu_milliseconds: float
    """Time of the API server's cores for each create."""


Round = Mapping[str, Turn]
"""One turn of each namespace, one after the other."""


@dataclass(slots=True)
class Series:
    """The rounds of so many clients."""

    clients: int
    rounds: list[Round] = field(default_factory=list)

    def rows(self) -> Iterator[list[str]]:
        for name in (NOBODY, *NAMESPACES, *ALONE):
            yield [
                str(self.clients),
                name,
                *self._compared(name, lambda turn: turn.load.percentile(50)),
                *self._compared(name, lambda turn: turn.load.percentile(99)),
                *self._compared(name, lambda turn: turn.load.rate)[:1],
                *self._compared(name, lambda turn: turn.cpu_milliseconds),
                str(self.creates(name)),
                str(self.not_fixed(name)),
            ]

    def creates(self, name: str) -> int:
        return sum(turns[name].load.answers for turns in self.rounds)

    def not_fixed(self, name: str) -> int:
        """How many of them were admitted as they were."""
        return self.creates(name) - sum(turns[name].load.marked for turns in self.rounds)

    @property
    def busy(self) -> float:
        """Share of a core for which the clients were busy; near 1 they would measure themselves."""
        return max(turn.load.busy for turns in self.rounds for turn in turns.values())

    def _compared(self, name: str, figure: Callable[[Turn], float]) -> list[str]:
        """Return a figure of a namespace, and what it is above that of nobody within a round."""
        medians = [
            statistics.median(figure(turns[name]) for turns in self.rounds),
            statistics.median(figure(turns[name]) - figure(turns[NOBODY]) for turns in self.rounds),
        ]
        return [f"{median:.2f}" for median in medians]


def main() -> None:
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
    return {name: _turn(cluster, name, clients, seconds) for name in cluster.creates}


def _turn(cluster: MeasuredCluster, name: str, clients: int, seconds: float) -> Turn:
    before = cluster.cpu_seconds()
    load = cluster.put_creates(name, clients, seconds)
    used = cluster.cpu_seconds() - before
    return Turn(load, used * 1000 / max(1, load.answers))


def _print(series: list[Series]) -> None:
    table = Table(
        "clients",
        "namespace",
        "p50 ms",
        "added",
        "p99 ms",
        "added",
        "creates/s",
        "API server CPU ms",
        "added",
        "creates",
        "not fixed",
    )
    for each in series:
        for row in each.rows():
            table.add_row(*row)
    console = Console(width=140)
    console.print(table)
    console.print(
        f"dry-run creates of a GPU pod, medians of {ROUNDS} rounds; API server, etcd, webhook and "
        f"clients share the cores of this machine, of which the clients used at most "
        f"{max(each.busy for each in series):.0%} of one"
    )


if __name__ == "__main__":
    main()
