"""The load of `make bench-apiserver`, in short turns."""

from pathlib import Path

from benchmarks.apiserver import CLIENTS, Series, measure
from benchmarks.apiserver_cluster import MeasuredCluster, running_cluster
from benchmarks.apiserver_releases import NAMESPACES
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.webhook.registration import MAX_TIMEOUT_SECONDS

SECONDS = 1.5
MAX_TURNS = 20
"""Turns that are given to each way until it had a create, since a machine may be busy."""


def _series(cluster: MeasuredCluster, clients: int) -> Series:
    series = Series(clients, [])
    for _ in range(MAX_TURNS):
        series.rounds.append(measure(cluster, clients, SECONDS))
        if all(series.creates(name) for name in NAMESPACES):
            break
    return series


def test_no_create_is_refused_or_left_unfixed_however_many_clients_there_are(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    with running_cluster(
        control_plane_binaries, tmp_path, component_logs, MAX_TIMEOUT_SECONDS
    ) as cluster:
        series = [_series(cluster, clients) for clients in CLIENTS]
    assert all(each.creates(name) > 0 for each in series for name in NAMESPACES)
    assert {each.not_fixed(name) for each in series for name in NAMESPACES} == {0}
    *fewer, most = (str(clients) for clients in CLIENTS)
    ways = ", ".join(each.value for each in NAMESPACES.values())
    evidence.show(
        f"GPU pods are created by {', '.join(fewer)} and {most} clients at once, each as fast as "
        f"it is answered, and every pod is fixed ({ways}).",
        "0 creates refused, 0 pods left unfixed; `make bench-apiserver` measures the time",
    )
