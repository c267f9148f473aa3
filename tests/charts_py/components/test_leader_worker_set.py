"""LeaderWorkerSet, where a cluster asks for it."""

from charts_py.components.leader_worker_set import LEADER_WORKER_SET_DEFINITION
from tests.charts_py.fixture_types import PlatformWith


def test_it_is_the_released_image_in_two_replicas(platform_after: PlatformWith) -> None:
    _, release = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators"))
    assert release.helm is not None
    assert release.helm.values["replicaCount"] == 2
    assert release.helm.values["image"]["manager"] == {
        "repository": "registry.k8s.io/lws/lws",
        "tag": "v0.10.0",
        "pullPolicy": "IfNotPresent",
    }
