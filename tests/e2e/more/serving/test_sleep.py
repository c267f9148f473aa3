"""A model without replicas wakes, as `gpuplane new llm --replicas 0` prints it, and loses nothing.

Only its times are shorter, and KEDA asks the scaler on loopback.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import pytest
import urllib3

from charts_py.objects.document import Document
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.monitoring.loopback import Reply
from tests.e2e.more.serving.cluster import NAME, ServedCluster
from tests.e2e.more.serving.http_add_on import HttpAddOn, running_http_add_on
from tests.e2e.more.serving.keda import running_keda
from tests.e2e.polling import once_seen, polls
from tests.e2e.serving.cluster import NAMESPACE

IMAGE = "registry.example.com/vllm:0.30.0"
REQUESTS = 20
HOST = f"{NAME}.research.models.example.com"
COOLDOWN_SECONDS = 5
A_WHILE_SECONDS = 10
_PATIENCE_SECONDS = 240
DEPLOYMENT = manifest("apps/v1 Deployment", NAME, NAMESPACE)
SCALED = manifest("keda.sh/v1alpha1 ScaledObject", NAME, NAMESPACE)
ROUTE = manifest("http.keda.sh/v1beta1 InterceptorRoute", NAME, NAMESPACE)


@dataclass(slots=True)
class Sleeper:
    """A model that may have no replica, as long as somebody looks."""

    cluster: ServedCluster
    add_on: HttpAddOn
    replicas: list[int] = field(default_factory=list)
    """Those that were asked for, one after another."""
    answered: list[str] = field(default_factory=list)
    """The hosts of requests that the interceptor sent on."""

    def look(self) -> int:
        """Return how many replicas are asked for."""
        self.cluster.kubelet.look()
        asked = int(self.cluster.client.wait_for(DEPLOYMENT)["spec"]["replicas"])
        if self.replicas[-1:] != [asked]:
            self.replicas.append(asked)
        return asked

    def pods(self) -> list[Document]:
        return self.cluster.client.find("v1", "Pod", NAMESPACE)

    def answer(self, host: str) -> Reply:
        """Answer in the place of its Service, as a replica that is ready."""
        self.answered.append(host)
        is_ready = any(pod["status"]["phase"] == "Running" for pod in self.pods())
        if host == HOST and is_ready:
            return Reply("answered")
        return Reply("nobody answers", HTTPStatus.SERVICE_UNAVAILABLE)

    def ask(self, host: str = HOST) -> tuple[int, str]:
        """Return the status and the text of what the interceptor answers."""
        url = f"http://127.0.0.1:{self.add_on.proxy}/v1/completions"
        with urllib3.PoolManager(retries=False, timeout=_PATIENCE_SECONDS) as pool:
            reply = pool.request("POST", url, body=b"{}", headers={"Host": host})
        return reply.status, reply.data.decode()

    def apply(self) -> None:
        printed = self.cluster.new(IMAGE, replicas=0).documents
        self.cluster.apply([self._hurried(each) for each in printed])

    def _hurried(self, document: Document) -> Document:
        if document["kind"] != "ScaledObject":
            return document
        (trigger,) = document["spec"]["triggers"]
        metadata = {**trigger["metadata"], "scalerAddress": f"127.0.0.1:{self.add_on.scaler}"}
        hurried = {
            "cooldownPeriod": COOLDOWN_SECONDS,
            "initialCooldownPeriod": 0,
            "triggers": [{**trigger, "metadata": metadata}],
        }
        return {**document, "spec": {**document["spec"], **hurried}}


@pytest.fixture(scope="module")
def sleeper(
    cluster: ServedCluster, component_logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sleeper]:
    folder = tmp_path_factory.mktemp("keda")
    control_plane, platform, client = cluster.control_plane, cluster.platform, cluster.client
    model = Sleeper(cluster, HttpAddOn(0, 0))
    with (
        running_http_add_on(control_plane, platform, component_logs, model.answer) as add_on,
        running_keda(control_plane, platform, folder, component_logs),
    ):
        model.add_on = add_on
        cluster.kubelet.forget()
        model.apply()
        yield model
        for each in (SCALED, ROUTE, DEPLOYMENT):
            client.delete(each)
        client.wait_until_gone(SCALED)
        once_seen(cluster.kubelet.look, lambda pods: not pods, "all replicas are gone")


def test_requests_wait_for_a_replica_which_goes_after_them(
    sleeper: Sleeper, evidence: Evidence
) -> None:
    once_seen(sleeper.look, lambda replicas: replicas == 0, "it sleeps")
    once_seen(lambda: (sleeper.look(), sleeper.pods())[1], lambda pods: not pods, "nothing runs")
    sleeper.replicas = [0]
    kubelet = sleeper.cluster.kubelet
    kubelet.never_ready = IMAGE
    with ThreadPoolExecutor(REQUESTS) as clients:
        asked = [clients.submit(sleeper.ask) for _ in range(REQUESTS)]
        once_seen(sleeper.look, lambda replicas: replicas == 1, "it wakes")
        for _ in polls(A_WHILE_SECONDS):
            assert sleeper.look() == 1
            assert not [each for each in asked if each.done()]
        kubelet.never_ready = ""
        once_seen(
            lambda: (sleeper.look(), _done(asked))[1], lambda done: done == REQUESTS, "answers"
        )
        assert set(sleeper.answered) == {HOST}
        assert [each.result() for each in asked] == [(200, "answered")] * REQUESTS
    once_seen(sleeper.look, lambda replicas: replicas == 0, "it sleeps again")
    assert sleeper.replicas == [0, 1, 0]
    evidence.show(
        "A model without replicas wakes when it is asked, and no request is lost: KEDA's HTTP "
        "add-on holds them until a replica is ready, and the replica goes after them.",
        f"{REQUESTS} requests at once, through its interceptor: 0 → 1 → 0 replicas, "
        f"{REQUESTS} answers with the status 200, none before the replica was ready; at 0 again "
        f"after a cooldown of {COOLDOWN_SECONDS} s, and the printed one is longer",
    )


def test_a_host_without_a_route_wakes_nothing(sleeper: Sleeper) -> None:
    status, _ = sleeper.ask("other.research.models.example.com")
    assert status == 404


def _done(asked: list[Future[tuple[int, str]]]) -> int:
    return sum(each.done() for each in asked)
