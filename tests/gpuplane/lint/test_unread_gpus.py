import datetime as dt
from typing import Any

import yaml

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.unread_gpus import unread_gpus
from policies.admission import Review
from policies.engine import Engine
from policies.gpu_names import GpuNames
from policies.settings import QueueScheduler, Settings
from tests.rows import rows_beside

each_row = rows_beside(__file__, "unread_gpus.yaml")
IS_GPU = GpuNames(()).is_gpu


@each_row("objects")
def test_gpus_that_no_pod_is_read_for_are_told(
    object: dict[str, Any],  # noqa: A002 # as the rows name it
    pointer: str,
    message: str,
) -> None:
    (found,) = unread_gpus(object, IS_GPU)
    assert (found.pointer, f"{found.message} {found.remedy}") == (pointer, message)


@each_row("kai")
def test_what_kai_refuses_or_nobody_reads_is_a_warning(
    annotations: dict[str, str], spec: dict[str, Any], schedulers: list[str], found: str
) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"annotations": annotations},
        "spec": spec,
    }
    (told,) = unread_gpus(pod, IS_GPU, [Settings("test", schedulers=tuple(schedulers))])
    assert (told.severity, f"{told.message} {told.remedy}") == (LintSeverity.WARNING, found)


def test_kai_runs_where_it_is_the_scheduler_of_the_cluster_or_one_of_its_own() -> None:
    limits = {"nvidia.com/gpu": 1}
    metadata = {"name": "a", "annotations": {"gpu-fraction": "0.5"}}
    spec = {"containers": [{"name": "a", "image": "a:1", "resources": {"limits": limits}}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
    told = {}
    for name, settings in (
        ("queues", Settings("test", queue_scheduler=QueueScheduler("kai-scheduler"))),
        ("beside", Settings("test", schedulers=("kai-scheduler",))),
        ("none", Settings("test")),
    ):
        judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(Engine(settings)))
        judgement = Judgement([judge], Review("default", dt.date(2026, 11, 29)), None)
        found = judge_file(LintSource("pod.yaml", yaml.safe_dump(pod).encode()), judgement)
        rules = [each.rule for each in found.findings]
        told[name] = (
            rules.count("unread-gpus"),
            found.counts.unread_gpus,
            found.counts.gpu_workloads,
        )
    assert told == {
        "queues": (1, {}, {"Pod": 1}),
        "beside": (1, {}, {"Pod": 1}),
        "none": (0, {}, {"Pod": 1}),
    }


@each_row("taken_by_kai")
def test_what_kai_may_take_stays_a_note(annotations: dict[str, str]) -> None:
    metadata = {"annotations": annotations}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [{}]}}
    (told,) = unread_gpus(pod, IS_GPU, [Settings("test", schedulers=("kai-scheduler",))])
    assert told.severity is LintSeverity.NOTE


@each_row("queues_of_kai")
def test_the_queues_of_kai_share_no_gpu(
    annotations: dict[str, str], spec: dict[str, Any], severity: str, found: str
) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": annotations}} | spec
    queues = Settings("test", queue_scheduler=QueueScheduler("kai-scheduler"))
    (told,) = unread_gpus(pod, IS_GPU, [queues])
    assert (told.severity, f"{told.message} {told.remedy}") == (severity, found)


@each_row("others")
def test_nothing_is_told_of_what_is_read_or_makes_no_pods(object: dict[str, Any]) -> None:  # noqa: A002
    assert [*unread_gpus(object, IS_GPU)] == []


def test_such_objects_are_counted_by_kind() -> None:
    item = {"apiVersion": "a.example.com/v1", "kind": "Model", "limits": {"nvidia.com/gpu": 1}}
    listed = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": [item, item]})
    judge = ClusterJudge(ClusterFacts("test", "1.36"), ClusterRules(Engine(Settings("test"))))
    judgement = Judgement([judge], Review("default", dt.date(2026, 11, 29)), None)
    found = judge_file(LintSource("a.yaml", listed.encode()), judgement)
    assert (found.counts.gpu_workloads, found.counts.unread_gpus) == ({}, {"Model": 2})
