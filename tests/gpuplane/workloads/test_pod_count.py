"""How many pods a workload, such as a cluster of Ray, makes of a template."""

from typing import Any

import pytest

from gpuplane.workloads.pod_count import pod_count

TEMPLATE: dict[str, Any] = {"spec": {}}
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment"}
JOB = {"apiVersion": "batch/v1", "kind": "Job"}
TRAIN_JOB = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob"}
PYTORCH_JOB = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"}
_JOBS = [{"replicas": 2, "template": {"spec": {"parallelism": 3, "template": {}}}}]
JOB_SET = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "spec": {"replicatedJobs": _JOBS},
}


@pytest.mark.parametrize(
    ("workload", "pointer", "count"),
    [
        ({"apiVersion": "v1", "kind": "Pod"}, "", 1),
        (DEPLOYMENT | {"spec": {"template": TEMPLATE}}, "/spec/template", 1),
        (DEPLOYMENT | {"spec": {"replicas": 3, "template": TEMPLATE}}, "/spec/template", 3),
        (DEPLOYMENT | {"spec": {"replicas": -3, "template": TEMPLATE}}, "/spec/template", None),
        (DEPLOYMENT | {"spec": {"replicas": "3", "template": TEMPLATE}}, "/spec/template", None),
        (DEPLOYMENT | {"spec": {"replicas": None, "template": TEMPLATE}}, "/spec/template", 1),
        (JOB | {"spec": {"parallelism": 4, "template": TEMPLATE}}, "/spec/template", 4),
        (
            JOB | {"spec": {"parallelism": 4, "completions": 2, "template": TEMPLATE}},
            "/spec/template",
            2,
        ),
        (JOB_SET, "/spec/replicatedJobs/0/template/spec/template", 6),
        (
            PYTORCH_JOB
            | {"spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 3, "template": {}}}}},
            "/spec/pytorchReplicaSpecs/Worker/template",
            3,
        ),
        (TRAIN_JOB | {"spec": {"trainer": {"numNodes": 4}}}, "/spec/trainer", 4),
        (TRAIN_JOB | {"spec": {"trainer": {}}}, "/spec/trainer", None),
        (TRAIN_JOB | {"spec": {"podSpecOverrides": [{}]}}, "/spec/podSpecOverrides/0", None),
        ({"apiVersion": "apps/v1", "kind": "DaemonSet", "spec": {}}, "/spec/template", None),
        ({"apiVersion": "other/v1", "kind": "Deployment", "spec": {}}, "/spec/template", None),
    ],
)
def test_pods_are_counted_where_the_manifest_says_how_many(
    workload: dict[str, Any], pointer: str, count: int | None
) -> None:
    assert pod_count(workload, pointer) == count


LEADER, WORKER = "leaderTemplate", "workerTemplate"


def _count(spec: dict[str, Any], group: dict[str, Any], template: str) -> int | None:
    kind = {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet"}
    content = spec | {"leaderWorkerTemplate": group | {WORKER: {}}}
    return pod_count({**kind, "spec": content}, f"/spec/leaderWorkerTemplate/{template}")


@pytest.mark.parametrize(
    ("spec", "group", "template", "count"),
    [
        ({}, {}, WORKER, 1),
        ({"replicas": 2}, {"size": 4}, WORKER, 8),
        ({"replicas": 2}, {"size": 4, LEADER: {}}, WORKER, 6),
        ({"replicas": 2}, {"size": 4, LEADER: {}}, LEADER, 2),
        ({"replicas": "2"}, {"size": None, LEADER: {}}, WORKER, 0),
    ],
)
def test_each_replica_has_a_leader_and_workers(
    spec: dict[str, Any], group: dict[str, Any], template: str, count: int
) -> None:
    assert _count(spec, group, template) == count


WORKERS = "workerGroupSpecs/0/template"


def _ray_count(group: dict[str, Any], cluster: dict[str, Any], template: str) -> int | None:
    spec = cluster | {"headGroupSpec": {"template": {}}, "workerGroupSpecs": [group]}
    job = {"apiVersion": "ray.io/v1", "kind": "RayJob", "spec": {"rayClusterSpec": spec}}
    return pod_count(job, f"/spec/rayClusterSpec/{template}")


@pytest.mark.parametrize(
    ("group", "count"),
    [
        ({}, 0),
        ({"replicas": 3}, 3),
        ({"replicas": 3, "numOfHosts": 4}, 12),
        ({"minReplicas": 2}, 2),
        ({"replicas": 1, "minReplicas": 2, "maxReplicas": 4}, 2),
        ({"replicas": 8, "minReplicas": 2, "maxReplicas": 4}, 4),
        ({"replicas": 3, "suspend": True}, 0),
        ({"replicas": "3"}, 0),
    ],
)
def test_a_group_has_its_replicas_within_their_bounds_times_its_hosts(
    group: dict[str, Any], count: int
) -> None:
    assert _ray_count(group, {}, WORKERS) == count


def test_what_an_autoscaler_sets_is_not_known() -> None:
    cluster = {"enableInTreeAutoscaling": True}
    assert _ray_count({"replicas": 3}, cluster, WORKERS) is None
    assert _ray_count({"replicas": 3}, cluster, "headGroupSpec/template") == 1


def test_a_job_is_submitted_by_one_pod() -> None:
    job = {"apiVersion": "ray.io/v1", "kind": "RayJob", "spec": {"submitterPodTemplate": {}}}
    assert pod_count(job, "/spec/submitterPodTemplate") == 1
