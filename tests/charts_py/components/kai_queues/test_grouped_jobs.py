"""What stays on what pods belong to that KAI groups, by a real evaluator of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.kai_queues.grouped_jobs import GROUPED_JOBS, MAY_PATCH
from tests.charts_py.components.kueue_queues.refusals import refusals

SKIPPED = "KAI would count the pods in no group; leave kai.scheduler/skip-podgrouper out."
OWNERS = (
    "KAI counts pods in a group that is gone with the topmost of their owners; leave "
    "metadata.ownerReferences."
)


def _job(skipped: str = "", owner: str = "") -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "sent", "namespace": "team"}
    if skipped:
        metadata["annotations"] = {"kai.scheduler/skip-podgrouper": skipped}
    if owner:
        metadata["ownerReferences"] = [{"kind": "Deployment", "name": owner, "uid": owner}]
    return {"kind": "Job", "metadata": metadata}


@pytest.mark.parametrize(
    ("now", "before", "refused"),
    [
        (_job(), None, []),
        (_job(owner="a"), None, []),
        (_job("false"), None, []),
        (_job("true"), None, [SKIPPED]),
        (_job("true"), _job(), [SKIPPED]),
        (_job("true"), _job("true"), []),
        (_job(), _job("true"), []),
        (_job(), _job(owner="a"), [OWNERS]),
        (_job(owner="b"), _job(owner="a"), [OWNERS]),
        (_job(owner="a"), _job(), [OWNERS]),
    ],
)
def test_a_team_leaves_the_pods_of_a_job_in_their_group(
    now: dict[str, Any], before: dict[str, Any] | None, refused: list[str]
) -> None:
    assert refusals(GROUPED_JOBS, now, before) == refused


def test_controllers_let_go_of_jobs() -> None:
    assert refusals(GROUPED_JOBS, _job(), _job(owner="a"), MAY_PATCH) == []


def test_it_is_about_whatever_pods_belong_to() -> None:
    (rule,) = GROUPED_JOBS.spec()["matchConstraints"]["resourceRules"]
    assert rule == {
        "apiGroups": [
            "apps",
            "argoproj.io",
            "batch",
            "jobset.x-k8s.io",
            "kubeflow.org",
            "leaderworkerset.x-k8s.io",
            "ray.io",
            "trainer.kubeflow.org",
        ],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": [
            "cronjobs",
            "deployments",
            "jaxjobs",
            "jobs",
            "jobsets",
            "leaderworkersets",
            "mpijobs",
            "pytorchjobs",
            "rayclusters",
            "rayjobs",
            "rayservices",
            "replicasets",
            "statefulsets",
            "tfjobs",
            "trainjobs",
            "workflows",
            "xgboostjobs",
        ],
        "scope": "Namespaced",
    }
