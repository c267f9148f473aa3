"""What members of a team change of a Workload, by a real evaluator of CEL."""

from __future__ import annotations

import json
from typing import Any

import pytest

from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.components.kueue_queues.queued_workloads import KEPT, QUEUED_WORKLOADS
from charts_py.components.kueue_queues.trusted import MAY_ADMIT
from tests.charts_py.components.kueue_queues.refusals import refusals
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas

ONLY_ACTIVE = (
    "of a Workload, spec.active alone can be changed, which has Kueue try its job again; the rest "
    "follows from the job."
)


def _workload(metadata: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {
        "kind": "Workload",
        "metadata": {"namespace": "team", **(metadata or {})},
        "spec": {"podSets": [{"count": 2}], "active": True, **spec},
    }


@pytest.mark.parametrize(
    ("before", "after", "passes"),
    [
        (_workload(active=False), _workload(), True),
        (_workload(priority=1), _workload(priority=1, active=False), True),
        (_workload({"finalizers": ["a"]}), _workload(), False),
        (_workload(), _workload(priority=1000), False),
        (_workload(priority=1), _workload(priority=2), False),
        (_workload(), _workload(priorityClassRef={"name": "training"}), False),
        (_workload(), _workload(queueName="other"), False),
        (_workload(), _workload(podSets=[{"count": 1}]), False),
        (_workload(maximumExecutionTimeSeconds=60), _workload(), False),
        (_workload(preemptionGates=[{"name": "a"}]), _workload(preemptionGates=[]), False),
        (_workload(), _workload({"annotations": {"kueue.x-k8s.io/priority-boost": "9"}}), False),
        (_workload(), _workload({"labels": {"a": "b"}}), False),
        (_workload(), _workload({"ownerReferences": [{"uid": "1"}]}), False),
    ],
)
def test_it_can_be_tried_again_and_be_nothing_else(
    before: dict[str, Any], after: dict[str, Any], passes: bool
) -> None:
    assert refusals(QUEUED_WORKLOADS, after, before) == ([] if passes else [ONLY_ACTIVE])


def test_who_may_admit_jobs_changes_all_of_it() -> None:
    before, after = _workload({"finalizers": ["a"]}, priority=1), _workload(priority=2)
    assert refusals(QUEUED_WORKLOADS, after, before, MAY_ADMIT) == []


def test_every_field_is_kept_but_that_by_which_it_is_tried_again() -> None:
    file = committed_schemas() / CRDS / schema_path(API_VERSION, "Workload")
    fields = json.loads(file.read_bytes())["properties"]["spec"]["properties"]
    kept = [each.partition(".")[2].removeprefix("?") for each in KEPT if each.startswith("spec.")]
    assert sorted([*kept, "active"]) == sorted(fields)
