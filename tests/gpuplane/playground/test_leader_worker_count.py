"""How many pods a LeaderWorkerSet has of a template."""

from typing import Any

import pytest

from gpuplane.playground.pod_count import pod_count

LEADER, WORKER = "leaderTemplate", "workerTemplate"


def _count(spec: dict[str, Any], group: dict[str, Any], template: str) -> int | None:
    content = spec | {"leaderWorkerTemplate": group | {WORKER: {}}}
    workload = {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "spec": content,
    }
    return pod_count(workload, f"/spec/leaderWorkerTemplate/{template}")


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
