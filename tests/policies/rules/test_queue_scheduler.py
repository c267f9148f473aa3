import pytest

from policies.admission import UPDATE, Effect
from policies.document import Document
from policies.finding import Severity
from policies.operation import Operation
from policies.rules.queue_scheduler import RULE
from tests.policies.conftest import LABELLED_QUEUES, QUEUES, admit, found, gpu_pod

QUEUE = "scheduling.volcano.sh/queue-name"


@pytest.mark.parametrize(
    "spec", [{}, {"schedulerName": "default-scheduler"}, {"schedulerName": ""}]
)
def test_a_pod_that_names_no_scheduler_gets_that_of_the_queues(spec: Document) -> None:
    (finding,) = found(RULE, gpu_pod(**spec), queue_scheduler=QUEUES)
    assert finding.fix == (Operation("add", "/spec/schedulerName", "volcano"),)


def test_another_scheduler_is_refused() -> None:
    pod = gpu_pod(schedulerName="mine")
    (finding,) = found(RULE, pod, queue_scheduler=QUEUES)
    assert (finding.severity, finding.path, finding.message) == (
        Severity.REFUSE,
        "/spec/schedulerName",
        "The pod names the scheduler mine, but GPUs are given out by volcano.",
    )


def test_the_queue_of_another_namespace_is_refused() -> None:
    pod = gpu_pod(schedulerName="volcano")
    pod["metadata"]["annotations"] = {QUEUE: "serving"}
    (finding,) = found(RULE, pod, queue_scheduler=QUEUES)
    assert (finding.severity, finding.path, finding.message, finding.remedy) == (
        Severity.REFUSE,
        "/metadata/annotations/scheduling.volcano.sh~1queue-name",
        "The pod names the queue serving, but that of its namespace is plain.",
        "Set scheduling.volcano.sh/queue-name to plain, or leave it out.",
    )


def test_a_pod_may_name_the_queue_of_its_namespace() -> None:
    pod = gpu_pod(schedulerName="volcano")
    pod["metadata"]["annotations"] = {QUEUE: "plain"}
    assert found(RULE, pod, queue_scheduler=QUEUES) == []


def test_nothing_is_asked_of_pods_without_gpus_or_where_kubernetes_schedules() -> None:
    assert found(RULE, gpu_pod()) == []
    assert found(RULE, gpu_pod(), namespace="nobodys", queue_scheduler=QUEUES) == []
    admission = admit(gpu_pod({"resources": {}}), queue_scheduler=QUEUES)
    assert [outcome.finding.rule for outcome in admission.outcomes] == []


def test_a_pod_that_runs_keeps_its_scheduler() -> None:
    pod = gpu_pod(schedulerName="default-scheduler")
    review = {"operation": UPDATE, "old": pod, "fixes": False}
    admission = admit(pod, review=review, queue_scheduler=QUEUES)
    assert admission.with_effect(Effect.DENIED) == ()


KAI_QUEUE, PREEMPTIBILITY = "kai.scheduler/queue", "kai.scheduler/preemptibility"


def test_a_pod_gets_the_labels_of_its_queue() -> None:
    pod = gpu_pod(schedulerName="kai-scheduler")
    (finding,) = found(RULE, pod, queue_scheduler=LABELLED_QUEUES)
    labels = {KAI_QUEUE: "plain", PREEMPTIBILITY: "preemptible"}
    assert (
        finding.message == f"The pod lacks the labels {KAI_QUEUE}, {PREEMPTIBILITY} of its queue."
    )
    assert finding.fix == (Operation("add", "/metadata/labels", labels),)


def test_what_a_pod_says_of_its_preemption_is_kept() -> None:
    pod = gpu_pod(schedulerName="kai-scheduler")
    pod["metadata"]["labels"] = {KAI_QUEUE: "plain", PREEMPTIBILITY: "non-preemptible"}
    assert found(RULE, pod, queue_scheduler=LABELLED_QUEUES) == []


def test_a_label_with_the_queue_of_another_namespace_is_refused() -> None:
    pod = gpu_pod(schedulerName="kai-scheduler")
    pod["metadata"]["labels"] = {KAI_QUEUE: "serving", PREEMPTIBILITY: "preemptible"}
    (finding,) = found(RULE, pod, queue_scheduler=LABELLED_QUEUES)
    assert (finding.severity, finding.path, finding.message, finding.remedy) == (
        Severity.REFUSE,
        "/metadata/labels/kai.scheduler~1queue",
        "The pod names the queue serving, but that of its namespace is plain.",
        f"Set {KAI_QUEUE} to plain, or leave it out.",
    )
