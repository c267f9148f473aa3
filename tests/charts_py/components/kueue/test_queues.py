"""What queues of Kueue add to the rights of a team."""

from typing import Any

import pytest

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.kueue.queues import KUEUE_QUEUES, local_queue
from charts_py.components.kueue.quotas import cluster_queue, cohorts, resource_flavor
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, TeamNamespace
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith, Sample


def test_members_of_a_team_see_their_jobs_wait_and_its_admins_have_one_tried_again() -> None:
    access = KUEUE_QUEUES.contribution.access
    seen = {(each.group, each.resources, each.use.name) for each in access}
    assert seen == {
        ("kueue.x-k8s.io", ("localqueues", "workloads"), "READ"),
        ("kueue.x-k8s.io", ("workloads",), "ADJUST"),
        ("visibility.kueue.x-k8s.io", ("localqueues/pendingworkloads",), "READ"),
    }


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("queues")


def _namespace(platform: Platform, name: str) -> TeamNamespace:
    return next(each for each in platform.namespaces if each.name == name)


def _spec(document: Document) -> dict[str, Any]:
    spec: dict[str, Any] = document["spec"]
    return spec


def _quota(name: str, nominal: str, **limits: str) -> dict[str, Any]:
    return {"name": name, "nominalQuota": nominal, **limits}


def test_where_nothing_is_borrowed_a_queue_has_neither_cohort_nor_limits(
    platform: Platform,
) -> None:
    spec = _spec(cluster_queue(platform, _namespace(platform, "serving"), Borrowing.NONE))
    (_, whole) = spec["resourceGroups"]
    assert whole["flavors"][0]["resources"] == [_quota("nvidia.com/gpu", "8")]
    assert ("cohortName" in spec, spec["preemption"]) == (
        False,
        {"withinClusterQueue": "LowerPriority"},
    )


STRICT_SERVING = ("      serving:\n", "      serving:\n        queueStrategy: strict\n")
STRICT = ("queues: {}\n", "queues: {strategy: strict}\n")
BEST_EFFORT_SERVING = (STRICT_SERVING[0], STRICT_SERVING[1].replace("strict", "best-effort"))


@pytest.mark.parametrize(
    ("replaced", "strict"),
    [
        ((), []),
        ((STRICT_SERVING,), ["serving"]),
        ((STRICT,), ["research-batch", "research-training", "serving"]),
        ((STRICT, BEST_EFFORT_SERVING), ["research-batch", "research-training"]),
    ],
)
def test_small_jobs_pass_no_large_one_where_a_namespace_or_else_the_cluster_says_so(
    replaced: tuple[tuple[str, str], ...], strict: list[str], platform_of: Load, sample: Sample
) -> None:
    platform = platform_of(sample("queues", *replaced))
    of_queues = {
        each.name: cluster_queue(platform, each, Borrowing.CLUSTER) for each in platform.namespaces
    }
    found = {name: _spec(queue).get("queueingStrategy") for name, queue in of_queues.items()}
    assert {name: each for name, each in found.items() if each} == dict.fromkeys(
        strict, "StrictFIFO"
    )


@pytest.mark.parametrize(
    ("borrowing", "expected"),
    [
        (Borrowing.NONE, {}),
        (Borrowing.TEAM, {"research": {}, "serving": {}}),
        (
            Borrowing.CLUSTER,
            {
                "all-teams.gpuplane.io": {},
                "research": {"parentName": "all-teams.gpuplane.io", "fairSharing": {"weight": 2}},
                "serving": {"parentName": "all-teams.gpuplane.io", "fairSharing": {"weight": 1}},
            },
        ),
    ],
)
def test_who_lends_to_whom_is_in_one_cohort(
    platform: Platform, borrowing: Borrowing, expected: dict[str, Any]
) -> None:
    found = {each["metadata"]["name"]: each["spec"] for each in cohorts(platform, borrowing)}
    assert found == expected


def test_jobs_that_name_no_queue_wait_in_that_of_their_namespace() -> None:
    queue = local_queue("research-training")
    assert (queue["metadata"]["name"], queue["spec"]) == (
        "default",
        {"clusterQueue": "research-training"},
    )


def test_a_pool_without_topology_is_placed_anywhere(platform_after: PlatformWith) -> None:
    platform = platform_after("queues")
    assert ["topologyName" in resource_flavor(pool)["spec"] for pool in platform.pools] == [
        False
    ] * len(platform.pools)


@pytest.mark.parametrize(("version", "is_there"), [("1.35", False), ("1.36", True)])
def test_the_api_server_has_jobs_replace_pods_late_where_it_can(
    platform_after: PlatformWith, documents_of_component: DocumentsOf, version: str, is_there: bool
) -> None:
    (component,) = KUEUE_QUEUES.plan(platform_after("queues", ('"1.36"', f'"{version}"')))
    kinds = [
        each["kind"]
        for each in documents_of_component(component)
        if each["metadata"]["name"] == "late-replacements.gpuplane.io"
    ]
    policy = ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"]
    assert kinds == (policy if is_there else [])
