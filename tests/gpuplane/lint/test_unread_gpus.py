import datetime as dt
from typing import Any

import yaml

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.unread_gpus import unread_gpus
from policies.admission import Review
from policies.engine import Engine
from policies.gpu_names import GpuNames
from policies.settings import Settings
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


@each_row("others")
def test_nothing_is_told_of_what_is_read_or_makes_no_pods(object: dict[str, Any]) -> None:  # noqa: A002
    assert [*unread_gpus(object, IS_GPU)] == []


def test_such_objects_are_counted_by_kind() -> None:
    item = {"apiVersion": "a.example.com/v1", "kind": "Model", "limits": {"nvidia.com/gpu": 1}}
    listed = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": [item, item]})
    judge = ClusterJudge("test", "1.36", ClusterRules(Engine(Settings("test"))))
    judgement = Judgement([judge], Review("default", dt.date(2026, 11, 29)), None)
    found = judge_file(LintSource("a.yaml", listed.encode()), judgement)
    assert (found.gpu_workloads, found.unread_gpus) == ({}, {"Model": 2})
