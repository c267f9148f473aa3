"""The numbers of objects that a namespace may have, in bytes of the store of the API server."""

import pytest

from charts_py.components.gpu_roles import team_access
from charts_py.components.team.object_counts import object_counts
from charts_py.components.team.quota import quota_bounds
from charts_py.platform.contribution import Use
from charts_py.platform.queue_quota import most_allocations
from tests.charts_py.fixture_types import Load

CLUSTERS = ("inference", "mixed", "onprem", "training")
MIB, GIB = 2**20, 2**30
LARGEST_OBJECT = 3 * MIB // 2
"""Of a request to etcd (`--max-request-bytes`): https://etcd.io/docs/v3.6/dev-guide/limit/"""
OF_KUBERNETES = {"", "apps", "autoscaling", "batch", "policy", "resource.k8s.io"}


def bounded(example: Load, cluster: str) -> dict[str, tuple[int, dict[str, int]]]:
    """Return the GPUs and the counts of each namespace."""
    platform = example(cluster)
    found = {}
    for each in platform.namespaces:
        hard = object_counts(platform, each)["spec"]["hard"] | quota_bounds(platform, each)
        counts = {name: int(hard[name]) for name in hard if name.startswith("count/")}
        found[each.name] = most_allocations(platform, each), counts
    return found


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_all_objects_of_a_namespace_leave_room_in_the_store_at_their_largest(
    example: Load, cluster: str
) -> None:
    for gpus, counts in bounded(example, cluster).values():
        assert sum(counts.values()) * LARGEST_OBJECT <= 7 * GIB + 15 * MIB * gpus


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_sweep_of_a_thousand_jobs_waits_in_a_queue_and_leaves_its_pods(
    example: Load, cluster: str
) -> None:
    for gpus, counts in bounded(example, cluster).values():
        assert counts["count/jobs.batch"] >= 1000
        assert counts["count/pods"] >= 1000 + 2 * gpus


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_kind_of_kubernetes_that_teams_create_is_counted(example: Load, cluster: str) -> None:
    created = {
        f"count/{name}.{access.group}".rstrip(".")
        for access in team_access(example(cluster).cluster.kubernetes)
        if access.use in (Use.RUN, Use.ADMINISTER) and access.group in OF_KUBERNETES
        for name in access.resources
    }
    for _, counts in bounded(example, cluster).values():
        assert created - counts.keys() == set()
