"""`gpuplane cull` asks a Prometheus, and ends what is idle at an API server."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.components.gpu_metrics import PoolThreshold
from charts_py.components.gpu_usage.definition import GPU_IDLE, figure_rules, usage_alert
from charts_py.components.idle_gpus.objects import ROUNDS
from charts_py.components.rounds import SETTINGS_KEY
from charts_py.constructs.render import render
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from culling.cull import REPLICAS_ANNOTATION
from culling.settings import Action, Settings
from gpuplane.errors import ExitCode
from rounds.settings import read
from tests.binaries.prometheus import PrometheusBinaries
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.monitoring import idle_workloads
from tests.e2e.monitoring.exporters import Exporter, Exporters
from tests.e2e.monitoring.idle_workloads import CULLED, HALF, KEPT, PROTECTED, UNKNOWN
from tests.e2e.monitoring.loopback import serving
from tests.e2e.monitoring.prometheus import Prometheus, running_prometheus
from tests.e2e.polling import once_seen
from tests.e2e.processes.component import free_ports
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.rounds import Round, run_round
from tests.e2e.scheduling.nodes import joined, nodes_of

SAMPLE = SAMPLES / "idle-gpus.yaml"
LAST_USED = "gpu:gpuplane_last_used:timestamp_seconds"
EXPORTER = "rules"
"""Serves what Prometheus records elsewhere: hours of rules in no time."""
PODS = 12
IDLE_MINUTES = 0.1
"""More than a scrape and an evaluation are apart."""
MANY, FEW = 100, 20
"""GPUs of a cluster of which the idle ones are less than a fifth, and more."""
IDLE = {
    ("Pod", "bare"),
    ("Pod", PROTECTED),
    ("Job", "job"),
    ("Deployment", "deployment"),
    ("ReplicaSet", "replicaset"),
    ("StatefulSet", "statefulset"),
    ("LeaderWorkerSet", "lws"),
}
OTHERS = {("ConfigMap", UNKNOWN): "left-alone", ("Deployment", HALF): "in-use"}


def decisions(done: Round) -> dict[tuple[str, str], str]:
    """Return what became of each workload, by its kind and name."""
    return {(line["kind"], line["name"]): line["event"] for line in done.lines}


@dataclass(frozen=True, slots=True)
class Culling:
    """All that a round needs, with the rights of its own service account."""

    control_plane: ControlPlane
    exporter: Exporter
    prometheus: Prometheus
    release: tuple[Document, ...]
    folder: Path

    def round(self, action: Action = Action.END, capacity: int = MANY, url: str = "") -> Round:
        """Make a round in a cluster of so many GPUs, by a Prometheus at an address or the own.

        With a capacity of 0 Prometheus knows what it knew before.
        """
        if capacity:
            self.exporter.set("pool:gpuplane_capacity_gpus:sum", capacity, pool="h200")
            once(self.prometheus, f"pool:gpuplane_capacity_gpus:sum == {capacity}", 1)
        (config,) = (each for each in self.release if each["kind"] == "ConfigMap")
        stated = read(config["data"][SETTINGS_KEY], Settings)
        told = {"action": action, "prometheus_url": url or self.prometheus.url}
        return run_round(self.control_plane, ROUNDS, replace(stated, **told), self.folder)


def once(prometheus: Prometheus, query: str, count: int) -> None:
    """Wait until a query yields so many series."""
    what = f"{count} series of {query}"
    once_seen(lambda: prometheus.query(query), lambda found: len(found) == count, what)


@pytest.fixture(scope="module")
def culling(
    control_plane: ControlPlane,
    prometheus_binaries: PrometheusBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Culling]:
    """Workloads whose GPUs are idle, all but one pod of a Deployment."""
    folder, exporter = tmp_path_factory.mktemp("culling"), Exporter()
    scraped = Exporters({EXPORTER: exporter})
    release = render(load_platform(SAMPLE, None)).folders["idle-gpus"]
    spaces = [namespace(name) for name in (CULLED, KEPT, ROUNDS.namespace)]
    (node,) = nodes_of(load_platform(SAMPLE, None), "h200", 1)
    admin = control_plane.admin
    with ExitStack() as stack:
        stack.enter_context(joined(admin, node))
        stack.enter_context(applied(admin, [*spaces, *release]))
        _create(control_plane, node["metadata"]["name"])
        port = stack.enter_context(serving(scraped.answer))
        scrape, rules, told = [_scraped(port)], [_rules(folder)], f"127.0.0.1:{port}"
        program = prometheus_binaries.prometheus
        running = running_prometheus(program, scrape, rules, told, folder, component_logs)
        prometheus = stack.enter_context(running)
        _measure(control_plane, exporter)
        once(prometheus, usage_alert(GPU_IDLE).expression, PODS - 1)
        yield Culling(control_plane, exporter, prometheus, release, folder)


def _scraped(port: int) -> dict[str, Any]:
    target = {"targets": [f"127.0.0.1:{port}"]}
    return {
        "job_name": EXPORTER,
        "metrics_path": f"/{EXPORTER}",
        "honor_labels": True,
        "static_configs": [target],
    }


def _rules(folder: Path) -> Path:
    (rule,) = (each.rule() for each in figure_rules() if each.record == LAST_USED)
    file = folder / "rules.yaml"
    file.write_text(to_yaml({"groups": [{"name": "gpu-metrics", "rules": [rule]}]}))
    return file


def _create(control_plane: ControlPlane, node: str) -> None:
    admin = control_plane.admin
    install(admin, definitions_of([idle_workloads.leader_worker_set()], pinned_files()))
    for each in idle_workloads.workloads(node):
        admin.create(each)
    idle_workloads.create_group(admin, node)
    idle_workloads.create_unknown(admin, node)
    idle_workloads.report_running(admin, PROTECTED)
    # Until its controller has counted, a budget allows nothing.
    admin.wait_for(idle_workloads.budget(), lambda budget: "currentHealthy" in budget["status"])
    what = f"{PODS} pods are there"
    once_seen(lambda: [*idle_workloads.pods(admin)], lambda found: len(found) == PODS, what)


def _measure(control_plane: ControlPlane, exporter: Exporter) -> None:
    """Serve what other rules would have recorded of the pods, of which one works."""
    exporter.set(
        "gpuplane_pool_threshold", IDLE_MINUTES, pool="h200", threshold=PoolThreshold.IDLE_MINUTES
    )
    found = idle_workloads.pods(control_plane.admin)
    works = next(name for name in sorted(found) if name.startswith(f"{HALF}-"))
    for name, pod in found.items():
        held = {"namespace": pod["metadata"]["namespace"], "pod": name, "pool": "h200"}
        gpu = {**held, "node": "onprem-1", "UUID": f"GPU-{name}"}
        exporter.set("gpu:gpuplane_used:ratio", 0.9 if name == works else 0, **gpu)
        exporter.set("gpu:gpuplane_size:gpus", 1, **gpu)
        exporter.set("pod:gpuplane_allocated_gpus:sum", 1, node="onprem-1", **held)


def test_nothing_ends_while_prometheus_does_not_answer(culling: Culling) -> None:
    (port,) = free_ports(1)
    silent = culling.round(url=f"http://127.0.0.1:{port}")
    assert (silent.code, silent.lines) == (ExitCode.ENVIRONMENT, [])
    assert "nothing ends: Prometheus does not answer" in silent.faults
    assert _ending(culling) == set()


def test_nothing_ends_where_more_would_go_than_may_at_once(
    culling: Culling, evidence: Evidence
) -> None:
    excess = culling.round(capacity=FEW)
    assert (excess.code, excess.faults) == (ExitCode.FINDINGS, "")
    assert decisions(excess) == {**dict.fromkeys(IDLE, "too-many"), **OTHERS}
    assert _ending(culling) == set()
    said = {line["reason"] for line in excess.lines if line["event"] == "too-many"}
    evidence.show(
        "Where more GPUs are idle than may be freed at once, culling frees none.", said.pop()
    )


def test_by_default_it_is_only_said_what_would_end(culling: Culling) -> None:
    observed = culling.round(Action.OBSERVE)
    assert (observed.code, observed.faults) == (ExitCode.FINE, "")
    assert decisions(observed) == {**dict.fromkeys(IDLE, "would-end"), **OTHERS}
    assert _ending(culling) == set()
    told = culling.control_plane.admin.find("v1", "Event", CULLED, fieldSelector="reason=GpuIdle")
    assert {_subject(event) for event in told} == IDLE


def test_what_is_idle_ends_as_its_owner_is_ended(culling: Culling, evidence: Evidence) -> None:
    admin = culling.control_plane.admin
    done = culling.round(Action.END)
    expected = {**dict.fromkeys(IDLE, "ended"), **OTHERS, ("Pod", PROTECTED): "blocked"}
    assert (decisions(done), done.faults, done.code) == (expected, "", ExitCode.FINE)
    scaled = {kind: name for kind, name in IDLE if kind not in ("Pod", "Job")}
    for kind, name in scaled.items():
        api_version = "leaderworkerset.x-k8s.io/v1" if kind == "LeaderWorkerSet" else "apps/v1"
        found = admin.get(api_version, kind, name, CULLED)
        assert (kind, found["spec"]["replicas"]) == (kind, 0)
        assert found["metadata"]["annotations"][REPLICAS_ANNOTATION] == "1"
    assert {"bare"} <= _ending(culling)
    assert {PROTECTED, UNKNOWN, "kept"} & _ending(culling) == set()
    assert admin.get("apps/v1", "Deployment", HALF, CULLED)["spec"]["replicas"] == 2
    evidence.show(
        "Culling ends workloads that use none of their GPUs as it befits who made them, and no"
        " others; a PodDisruptionBudget holds.",
        f"scaled to 0: {', '.join(sorted(scaled))}; evicted: a pod, and that of a Job; blocked: a"
        " pod with a budget; left: a Deployment of which one pod works, and an unknown owner",
    )


def test_what_is_no_longer_measured_stays(culling: Culling) -> None:
    culling.exporter.answers = False
    once(culling.prometheus, LAST_USED, 0)
    unknown = culling.round(Action.END, capacity=0)
    assert (unknown.code, unknown.lines) == (ExitCode.ENVIRONMENT, [])
    assert "does not know how many GPUs the cluster has" in unknown.faults


def _ending(culling: Culling) -> set[str]:
    return idle_workloads.ending(culling.control_plane.admin)


def _subject(event: Document) -> tuple[str, str]:
    subject = event["involvedObject"]
    return subject["kind"], subject["name"]
