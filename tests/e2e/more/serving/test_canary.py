"""Argo Rollouts replaces a model as `gpuplane new llm --canary` prints it.

Only the times of its analysis are shorter: it is judged after seconds, and every second.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from charts_py.objects.document import Document
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.more.serving.answers import WELL, Answers
from tests.e2e.more.serving.cluster import NAME, ServedCluster
from tests.e2e.more.serving.kubelet import image_of
from tests.e2e.more.serving.rollouts import running_rollouts
from tests.e2e.polling import once_seen, polls
from tests.e2e.serving.cluster import NAMESPACE
from tests.rows import rows_beside

each_row = rows_beside(__file__, "canary.yaml")
ROLLOUT = manifest("argoproj.io/v1alpha1 Rollout", NAME, NAMESPACE)
IMAGE = "registry.example.com/vllm"
OLD = f"{IMAGE}:0.30.0"
QUOTA = 8
"""GPUs of the namespace."""
SEEN_AFTER = "15s"
"""Prometheus has scraped new replicas by then, several times."""
A_WHILE_SECONDS = 20


@dataclass(slots=True)
class Replaced:
    """A model that is replaced, as long as somebody looks."""

    cluster: ServedCluster
    replicas: int
    new: str = field(default_factory=lambda: f"{IMAGE}:{uuid4().hex}")
    """The image of new replicas, of which Prometheus knows nothing yet."""
    judged: list[list[int]] = field(default_factory=list)
    """Old and new replicas at each step, while it is judged."""

    @property
    def images(self) -> Counter[str]:
        return Counter(map(image_of, self.cluster.kubelet.look()))

    def deploy(self, image: str, **spec: Any) -> None:
        printed = self.cluster.new(image, canary=True, replicas=self.replicas).documents
        self.cluster.apply([_hurried(each, spec) for each in printed])

    def until(self, phase: str) -> Document:
        """Return the Rollout once its controller says so of what is deployed."""
        return once_seen(
            self.look,
            lambda found: _is_observed(found) and found["status"].get("phase") == phase,
            f"the rollout is {phase}",
        )

    def look(self) -> Document:
        self.cluster.kubelet.look()
        found = self.cluster.client.get(ROLLOUT["apiVersion"], "Rollout", NAME, NAMESPACE)
        status = found.get("status", {})
        analysis = status.get("canary", {}).get("currentStepAnalysisRunStatus", {})
        if analysis.get("status") == "Running":
            new = status.get("updatedReplicas", 0)
            step = [status["replicas"] - new, new]
            if step not in self.judged:
                self.judged.append(step)
        return found


def _hurried(document: Document, spec: Document) -> Document:
    if document["kind"] == "Rollout":
        return {**document, "spec": {**document["spec"], **spec}}
    if document["kind"] != "AnalysisTemplate":
        return document
    metrics = [
        {**each, "initialDelay": SEEN_AFTER, "interval": "1s"}
        for each in document["spec"]["metrics"]
    ]
    return {**document, "spec": {**document["spec"], "metrics": metrics}}


def _is_observed(rollout: Document) -> bool:
    seen = rollout.get("status", {}).get("observedGeneration")
    return bool(seen == str(rollout["metadata"]["generation"]))


@pytest.fixture(scope="module", autouse=True)
def _controller(cluster: ServedCluster, component_logs: Path) -> Iterator[None]:
    with running_rollouts(cluster.control_plane, cluster.platform, component_logs):
        yield


@pytest.fixture
def served(cluster: ServedCluster) -> Iterator[Callable[[int], Replaced]]:
    """Serves a model by so many replicas; in the end they are gone."""

    def serve(replicas: int) -> Replaced:
        cluster.kubelet.forget()
        cluster.replicas.answers = {OLD: WELL}
        model = Replaced(cluster, replicas)
        model.deploy(OLD)
        model.until("Healthy")
        return model

    yield serve
    cluster.client.delete(ROLLOUT)
    once_seen(cluster.kubelet.look, lambda pods: not pods, "all replicas are gone")


@each_row("walks")
def test_a_canary_walks_its_steps_with_the_gpus_that_the_note_says(
    served: Callable[[int], Replaced],
    evidence: Evidence,
    replicas: int,
    judged: list[list[int]],
    gpus: int,
) -> None:
    model = served(replicas)
    kubelet = model.cluster.kubelet
    model.cluster.replicas.answers[model.new] = WELL
    model.deploy(model.new)
    model.until("Healthy")
    notes = model.cluster.new(model.new, canary=True, replicas=replicas).notes
    assert [each for each in notes if f"takes at most {gpus} GPUs at once" in each]
    assert (model.judged, kubelet.most_gpus) == (judged, gpus)
    assert kubelet.most_held <= QUOTA
    assert model.images == {model.new: replicas}
    steps = " and ".join(f"{new} of {old + new}" for old, new in judged)
    evidence.show(
        "A canary of a model replaces one replica, half of them and then all, and replicas that do "
        "not end have no more GPUs than its note says.",
        f"{replicas} replicas of 1 GPU, {steps} new while they are judged; {kubelet.most_gpus} "
        f"GPUs at most, and with those that end no more than the quota of {QUOTA}",
    )


@each_row("stays")
def test_a_canary_that_nothing_is_known_of_waits_for_a_person(
    served: Callable[[int], Replaced],
    evidence: Evidence,
    request: pytest.FixtureRequest,
    answers: dict[str, float] | None,
) -> None:
    model = served(2)
    if answers is not None:
        model.cluster.replicas.answers[model.new] = Answers(**answers)
    model.deploy(model.new)
    rollout = model.until("Paused")
    for _ in polls(A_WHILE_SECONDS):
        assert (model.until("Paused")["status"]["pauseConditions"], model.images) == (
            rollout["status"]["pauseConditions"],
            {OLD: 1, model.new: 1},
        )
    (condition,) = rollout["status"]["pauseConditions"]
    assert condition["reason"] == "InconclusiveAnalysisRun"
    evidence.show(
        f"A canary {request.node.callspec.id} waits for a person, with one new replica.",
        f"`{rollout['status']['message']}`",
    )


@each_row("goes_back")
def test_a_canary_that_answers_worse_goes_back(
    served: Callable[[int], Replaced],
    evidence: Evidence,
    request: pytest.FixtureRequest,
    answers: dict[str, float],
    metric: str,
) -> None:
    model = served(2)
    model.cluster.replicas.answers[model.new] = Answers(**answers)
    model.deploy(model.new)
    rollout = model.until("Degraded")
    told = rollout["status"]["message"]
    assert f'Metric "{metric}" assessed Failed due to failed (2) > failureLimit (1)' in told
    once_seen(lambda: model.images, lambda found: found == {OLD: 2}, "old replicas are back")
    assert model.cluster.kubelet.most_held <= QUOTA
    evidence.show(
        f"A canary goes back on {request.node.callspec.id}, and all replicas are old ones again.",
        f"`{told}`",
    )


def test_a_canary_that_does_not_start_goes_back(
    served: Callable[[int], Replaced], evidence: Evidence
) -> None:
    model = served(2)
    model.cluster.kubelet.never_ready = model.new
    model.deploy(model.new, progressDeadlineSeconds=5)
    once_seen(
        lambda: str(model.look()["status"].get("message")),
        lambda message: message.startswith("RolloutAborted: "),
        "the rollout is aborted",
    )
    once_seen(lambda: model.images, lambda found: found == {OLD: 2}, "old replicas are back")
    evidence.show(
        "A canary whose new replica does not start in time goes back.",
        "after its deadline, here of 5 seconds, all replicas are old ones again",
    )
