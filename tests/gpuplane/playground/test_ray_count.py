"""How many pods a cluster of Ray has of a template."""

from typing import Any

import pytest

from gpuplane.playground.pod_count import pod_count

WORKERS = "workerGroupSpecs/0/template"


def _count(group: dict[str, Any], cluster: dict[str, Any], template: str) -> int | None:
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
    assert _count(group, {}, WORKERS) == count


def test_what_an_autoscaler_sets_is_not_known() -> None:
    cluster = {"enableInTreeAutoscaling": True}
    assert _count({"replicas": 3}, cluster, WORKERS) is None
    assert _count({"replicas": 3}, cluster, "headGroupSpec/template") == 1


def test_a_job_is_submitted_by_one_pod() -> None:
    job = {"apiVersion": "ray.io/v1", "kind": "RayJob", "spec": {"submitterPodTemplate": {}}}
    assert pod_count(job, "/spec/submitterPodTemplate") == 1
