"""What controllers take of memory and CPU, by what their cluster holds.

Run by `make bench-controllers`. Each is started afresh on a cluster of each size, as after a
restart, and is measured once it has read everything and has nothing left to do. Scheduler and
controller manager run throughout. Those in Go collect their garbage as by default (GOGC=100).
"""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from operator import lt
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from benchmarks.controllers_argo_cd import argo_cd_peaks
from benchmarks.controllers_cluster import KARPENTER, LoadedCluster, loaded_cluster
from benchmarks.controllers_webhook import webhook_peaks
from benchmarks.peaks import COUNTS, Peak, Size, child, growths, peak_of, rows
from charts_py.cluster_file.quantity import bytes_of
from tests.e2e.releases.objects import read_release

NODES = (100, 1000)
PODS = 5000
JOBS = (1000, 5000)
NAMESPACES = (10, 100, 1000)
COPIES = (1, 5, 10)
_QUIET_SECONDS = 8
_QUIET_CORES = 0.5
"""What works without a pause takes, or waits for, one at least."""
_QUIET_BYTES = 4096
"""A second: what is held to so many requests, and takes little of a core, exchanges more."""
_MOST_SECONDS = 300
_GARBAGE = {"GOGC": "100", "GOMEMLIMIT": "off"}
"""What Go does by default, which the components of tests are told otherwise."""


def main() -> None:
    os.environ.update(_GARBAGE)
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as logs,
        loaded_cluster(Path(folder), Path(logs)) as cluster,
    ):
        limits = _limits(cluster.release)
        peaks = list(webhook_peaks(NAMESPACES, Path(folder), Path(logs)))
        for size, meanwhile in _growing(cluster):
            peaks += [*meanwhile, *_measure(cluster, size)]
            _print(peaks, limits)
        peaks += argo_cd_peaks(cluster.control_plane, size, COPIES, Path(folder), Path(logs))
        _print(peaks, limits)


def _growing(cluster: LoadedCluster) -> Iterator[tuple[Size, list[Peak]]]:
    """Load the cluster step by step; yield what it holds, and what was measured meanwhile."""
    yield Size(), []
    for nodes in NODES:
        yield Size(nodes), [cluster.add_nodes(nodes)]
    cluster.add_pods(PODS)
    yield Size(nodes, PODS), []
    for jobs in JOBS:
        cluster.add_jobs(jobs)
        yield Size(nodes, PODS, jobs), []


def _measure(cluster: LoadedCluster, size: Size) -> Iterator[Peak]:
    for name, running in {
        "training-operator": cluster.training_operator(),
        KARPENTER: cluster.karpenter(),
    }.items():
        yield _measured(cluster, name, size, running)
    for name in ("kube-scheduler", "kube-controller-manager", "kube-apiserver"):
        yield peak_of(name, size, [child(name)])


def _measured(
    cluster: LoadedCluster, name: str, size: Size, running: AbstractContextManager[None]
) -> Peak:
    with running:
        controller = child(name)
        _wait_until_quiet(controller, cluster.control_plane.api_server.process.pid)
        return peak_of(name, size, [controller])


def _wait_until_quiet(controller: psutil.Process, api_server: int) -> None:
    """Wait until a controller has had little to do for a while, or all that is allowed."""
    quiet = (_QUIET_CORES, _QUIET_CORES, _QUIET_BYTES)
    seen: list[tuple[float, ...]] = []
    for _ in range(_MOST_SECONDS):
        exchanged = controller.io_counters()
        busy = (_busy_seconds(each) for each in (controller.pid, api_server))
        seen.append((*busy, exchanged.read_chars + exchanged.write_chars))
        before = seen[-_QUIET_SECONDS:][0]
        rates = [(now - then) / _QUIET_SECONDS for now, then in zip(seen[-1], before, strict=True)]
        if len(seen) >= _QUIET_SECONDS and all(map(lt, rates, quiet)):
            return
        time.sleep(1)


def _busy_seconds(process: int) -> float:
    """Return for how long the threads of a process have run, or have waited for a core.

    https://docs.kernel.org/scheduler/sched-stats.html, "/proc/<pid>/schedstat"
    """
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(sum(map(int, each.read_text().split()[:2])) for each in threads) / 1e9


def _limits(release: Path) -> dict[str, int]:
    """Return what a release gives the containers of its own Deployments, in bytes."""
    return {
        component: bytes_of(container["resources"]["limits"]["memory"])
        for component in ("training-operator", "webhook")
        for each in read_release(release, component)
        if each["kind"] == "Deployment"
        for container in each["spec"]["template"]["spec"]["containers"]
    }


def _print(peaks: Sequence[Peak], limits: Mapping[str, int]) -> None:
    console = Console(width=140)
    table = Table("component", *COUNTS, "MiB", "CPU s", "limit MiB", "share")
    for row in rows(peaks, limits):
        table.add_row(*row)
    console.print(table)
    table = Table("component", "for each of", "base MiB", "KiB each")
    for each in growths(peaks):
        table.add_row(each.component, each.count, f"{each.base:.0f}", f"{each.slope:.0f}")
    console.print(table)


if __name__ == "__main__":
    main()
