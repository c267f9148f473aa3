from typing import Any

import pytest

from policies.admission import UPDATE, Effect
from policies.document import Document
from policies.finding import Severity
from policies.operation import Operation
from policies.rules.queue_scheduler import RULE
from tests.policies.conftest import LABELLED_QUEUES, QUEUES, admit, found, gpu_pod, message

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


@pytest.mark.parametrize(
    ("named", "settings", "allowed"),
    [
        ("volcano", {}, "default-scheduler"),
        ("default-schedular", {}, "default-scheduler; nearest: default-scheduler"),
        ("bin-pack", {"schedulers": ("binpack",)}, "default-scheduler, binpack; nearest: binpack"),
    ],
)
def test_a_scheduler_that_the_cluster_does_not_run_is_refused(
    named: str, settings: Any, allowed: str
) -> None:
    findings = found(RULE, gpu_pod(schedulerName=named), **settings)
    assert [each.severity for each in findings] == [Severity.REFUSE]
    assert message(findings) == (
        f"/spec/schedulerName The pod names the scheduler {named}, which the cluster does not run: "
        f"it would wait forever. Leave spec.schedulerName out; allowed: {allowed}."
    )


def test_outside_of_teams_that_of_the_queues_may_be_named_and_no_unknown_one() -> None:
    named = [
        found(RULE, gpu_pod(schedulerName=name), "nobodys", queue_scheduler=QUEUES)
        for name in ("volcano", "volcanos")
    ]
    assert [[each.remedy for each in found] for found in named] == [
        [],
        ["Leave spec.schedulerName out; allowed: default-scheduler, volcano; nearest: volcano."],
    ]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("default-scheduler", {}),
        ("gke.io/optimize-utilization-scheduler", {}),
        ("binpack", {"schedulers": ("binpack",)}),
    ],
)
def test_a_scheduler_that_runs_passes(name: str, settings: Any) -> None:
    assert found(RULE, gpu_pod(schedulerName=name), **settings) == []
