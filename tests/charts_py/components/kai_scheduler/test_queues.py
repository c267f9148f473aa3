"""What a namespace and a team have in KAI."""

from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.kai_scheduler.queues import (
    GROUPED_JOBS,
    MAY_PATCH,
    RAY_PRIORITY_POLICY,
    queues,
)
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.settings import QueueScheduler
from tests.charts_py.components.evaluated import is_taken
from tests.charts_py.components.kueue.refusals import refusals
from tests.charts_py.fixture_types import PlatformWith

ENGINE = "queues: {engine: kai}"
SHARE, LIMIT = "    share: 2\n", "          borrow: {h100: 4}\n"
WITHOUT = {
    Borrowing.CLUSTER: (),
    Borrowing.TEAM: ((SHARE, ""),),
    Borrowing.NONE: ((SHARE, ""), (LIMIT, "")),
}
"""What means nothing where less is borrowed."""
QUEUES = ("speech", "speech.gpuplane.io", "vision-batch", "vision-training", "vision.gpuplane.io")
Gpus = tuple[int, int, int]
"""Quota, limit and weight."""


@pytest.fixture
def platform_with(platform_after: PlatformWith) -> PlatformWith:
    """Return a function from who borrows of whom to the platform."""

    def make(borrowing: Borrowing) -> Platform:
        said = f"queues: {{engine: kai, borrowing: {borrowing.value}}}"
        return platform_after("kai", (ENGINE, said), *WITHOUT[borrowing])

    return make


def _specs(platform: Platform) -> Mapping[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each["spec"] for each in queues(platform)}


def _of_gpus(spec: dict[str, Any]) -> Gpus:
    gpus = spec["resources"]["gpu"]
    return gpus["quota"], gpus["limit"], gpus["overQuotaWeight"]


@pytest.mark.parametrize(
    ("borrowing", "expected"),
    [
        (Borrowing.CLUSTER, [(8, 12, 1), (8, 36, 2), (4, 12, 1), (24, 36, 1), (28, 36, 1)]),
        (Borrowing.TEAM, [(8, 8, 1), (8, 8, 1), (4, 12, 1), (24, 28, 1), (28, 28, 1)]),
        (Borrowing.NONE, [(8, 8, 1), (8, 8, 1), (4, 4, 1), (24, 24, 1), (28, 28, 1)]),
    ],
)
def test_quota_limit_and_weight_follow_from_quotas_and_shares(
    platform_with: PlatformWith, borrowing: Borrowing, expected: list[Gpus]
) -> None:
    specs = _specs(platform_with(borrowing))
    assert {name: _of_gpus(spec) for name, spec in sorted(specs.items())} == dict(
        zip(QUEUES, expected, strict=True)
    )


def test_pods_wait_in_the_queue_of_their_namespace_and_may_be_evicted(
    platform_with: PlatformWith,
) -> None:
    scheduler = policy_settings(platform_with(Borrowing.CLUSTER)).queue_scheduler
    assert scheduler == QueueScheduler(
        "kai-scheduler",
        queue_label="kai.scheduler/queue",
        labels={"kai.scheduler/preemptibility": "preemptible"},
    )
    assert scheduler.labels_in("speech") == {
        "kai.scheduler/queue": "speech",
        "kai.scheduler/preemptibility": "preemptible",
    }


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


def _ray_job(value: str | None = None) -> dict[str, Any]:
    labels = {} if value is None else {"labels": {"ray.io/priority-class-name": value}}
    return {"metadata": {"name": "trial", **labels}}


@pytest.mark.parametrize(
    ("now", "before", "taken"),
    [
        (_ray_job(), None, True),
        (_ray_job("inference"), None, False),
        (_ray_job("inference"), _ray_job(), False),
        (_ray_job("inference"), _ray_job("training"), False),
        (_ray_job(), _ray_job("inference"), True),
        # What was there before can still be deleted, which takes its finalizers off it.
        (_ray_job("inference"), _ray_job("inference"), True),
    ],
)
def test_a_job_of_ray_is_not_ranked_by_the_label_of_ray(
    now: dict[str, Any], before: dict[str, Any] | None, taken: bool
) -> None:
    assert is_taken(RAY_PRIORITY_POLICY, now, before) is taken


def test_the_refusal_names_the_label_that_is_judged() -> None:
    (validation,) = RAY_PRIORITY_POLICY.spec()["validations"]
    assert validation["reason"] == "Forbidden"
    assert validation["message"] == (
        "KAI would rank the job by the label ray.io/priority-class-name, whatever class its team"
        " may use. Name the class in the label priorityClassName instead."
    )
