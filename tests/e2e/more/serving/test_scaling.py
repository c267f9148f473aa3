"""KEDA makes replicas of a model as `gpuplane new llm --max-replicas` prints it."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.more.serving.cluster import NAME, ServedCluster
from tests.e2e.more.serving.keda import running_keda
from tests.e2e.more.serving.rollouts import running_rollouts
from tests.e2e.polling import once_seen, polls
from tests.e2e.serving.cluster import NAMESPACE
from tests.rows import rows_beside

each_row = rows_beside(__file__, "scaling.yaml")
IMAGE = "registry.example.com/vllm:0.30.0"
RUNNING, MOST = 16, 4
SCALED = manifest("keda.sh/v1alpha1 ScaledObject", NAME, NAMESPACE)
AUTOSCALER = manifest("autoscaling/v2 HorizontalPodAutoscaler", f"keda-hpa-{NAME}", NAMESPACE)
KINDS = {False: "apps/v1 Deployment", True: "argoproj.io/v1alpha1 Rollout"}
"""What makes the replicas, by whether there is a canary."""
METRIC = f"/apis/external.metrics.k8s.io/v1beta1/namespaces/{NAMESPACE}/s0-prometheus"
SEVERAL_ROUNDS_SECONDS = 50
"""The autoscaler looks every 15 seconds."""


@dataclass(slots=True)
class Scaled:
    """A model that is scaled, as long as somebody looks."""

    cluster: ServedCluster
    workload: Document
    replicas: list[int] = field(default_factory=list)
    """Those that were asked for, one after another."""

    def look(self) -> Document:
        """Return the autoscaler."""
        client = self.cluster.client
        self.cluster.kubelet.look()
        asked = client.wait_for(self.workload)["spec"].get("replicas", 1)
        if self.replicas[-1:] != [asked]:
            self.replicas.append(asked)
        return client.wait_for(AUTOSCALER)

    def metric(self) -> str:
        """Return the value that the API server gets from KEDA; empty for none."""
        selector = f"scaledobject.keda.sh/name={NAME}"
        with suppress(ApiError):
            (value,) = self.cluster.client.request("GET", METRIC, labelSelector=selector).document[
                "items"
            ]
            return str(value["value"])
        return ""


@pytest.fixture(scope="module", autouse=True)
def _controllers(
    cluster: ServedCluster, component_logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("keda")
    control_plane, platform = cluster.control_plane, cluster.platform
    with (
        running_rollouts(control_plane, platform, component_logs),
        running_keda(control_plane, platform, folder, component_logs),
    ):
        yield


@pytest.fixture
def scaled(cluster: ServedCluster) -> Iterator[Callable[[bool], Scaled]]:
    """Serves a model without requests; in the end its replicas are gone."""
    workloads = []

    def scale(canary: bool) -> Scaled:
        cluster.kubelet.forget()
        cluster.replicas.load = {"running": 0, "waiting": 0}
        cluster.apply(cluster.new(IMAGE, max_replicas=MOST, canary=canary).documents)
        workloads.append(manifest(KINDS[canary], NAME, NAMESPACE))
        return Scaled(cluster, workloads[0])

    yield scale
    for each in (SCALED, *workloads):
        cluster.client.delete(each)
    cluster.client.wait_until_gone(SCALED)
    once_seen(cluster.kubelet.look, lambda pods: not pods, "all replicas are gone")


@each_row("scaled")
def test_replicas_follow_the_requests_and_stay_when_the_metric_is_lost(
    scaled: Callable[[bool], Scaled],
    evidence: Evidence,
    request: pytest.FixtureRequest,
    canary: bool,
    waiting: int,
    replicas: list[int],
    fallback: str,
) -> None:
    model = scaled(canary)
    once_seen(model.metric, lambda value: value == "0", "KEDA knows of no requests")
    model.cluster.replicas.load = {"running": RUNNING, "waiting": waiting}
    once_seen(model.metric, lambda value: value == f"{RUNNING + waiting}", "KEDA knows of requests")
    once_seen(
        model.look,
        lambda found: found["status"].get("currentReplicas") == replicas[-1],
        f"{replicas[-1]} replicas are there",
    )
    model.cluster.replicas.load = {}
    once_seen(model.metric, lambda value: value == fallback, "KEDA falls back")
    for _ in polls(SEVERAL_ROUNDS_SECONDS):
        assert model.look()["status"]["desiredReplicas"] == replicas[-1]
    assert model.metric() == fallback
    assert (model.look()["spec"]["maxReplicas"], model.replicas) == (MOST, replicas)
    # Nor is it the window of the autoscaler that keeps them.
    conditions = {each["type"]: each["reason"] for each in model.look()["status"]["conditions"]}
    assert conditions["AbleToScale"] == "ReadyForNewScale"
    case = request.node.callspec.id
    evidence.show(
        f"KEDA makes replicas of {case} by the requests of a model, and leaves them when "
        "Prometheus has no metrics any more.",
        f"{RUNNING + waiting} requests, of which a replica takes 12: "
        f"{' → '.join(map(str, replicas))} replicas, of {MOST} at most; without metrics "
        f"{replicas[-1]}, by a fallback of {fallback} requests",
    )
