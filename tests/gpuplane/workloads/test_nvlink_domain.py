"""Jobs whose nodes NVLink joins, with queues and without."""

from typing import Any

import pytest

from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.workload import new_workload
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.workloads.conftest import ask

LARGE = (
    ("nodes: {min: 18, max: 18}", "nodes: {min: 90, max: 90}"),
    ("{gb200: 72}", "{gb200: 360}"),
    ("cpu: 2000", "cpu: 20000"),
    ("memory: 12Ti", "memory: 120Ti"),
    ("resourceClaims: 18", "resourceClaims: 90"),
)
QUEUED = (
    ("pools:\n", "queues: {}\ntraining: {trainer: {}, jobSet: {}}\npools:\n"),
    ("    interconnect: infiniband\n", "    interconnect: infiniband\n    topology: {}\n"),
)
IN_ONE = {"kueue.x-k8s.io/podset-required-topology": "nvidia.com/gpu.clique"}


def _in_slices(size: int) -> dict[str, str]:
    return {
        "kueue.x-k8s.io/podset-slice-required-topology": "nvidia.com/gpu.clique",
        "kueue.x-k8s.io/podset-slice-size": str(size),
    }


def _pod(platform: Platform, kind: str, nodes: int) -> dict[str, Any]:
    asked = ask(kind=kind, team="simulation", pool="gb200", gpus=4, nodes=nodes)
    document = new_workload(asked, platform).documents[-1]
    if kind == "jobset":
        document = document["spec"]["replicatedJobs"][0]["template"]
    template: dict[str, Any] = document["spec"]["template"]
    return template


@pytest.mark.parametrize("kind", ["job", "jobset"])
@pytest.mark.parametrize(
    ("nodes", "annotations"),
    [(2, IN_ONE), (18, IN_ONE), (20, _in_slices(10)), (36, _in_slices(18)), (39, _in_slices(13))],
)
def test_kueue_places_a_job_in_as_few_domains_with_as_many_nodes_in_each(
    platform_after: PlatformWith, kind: str, nodes: int, annotations: dict[str, str]
) -> None:
    template = _pod(platform_after("nvl72", *LARGE, *QUEUED), kind, nodes)
    assert (template["metadata"]["annotations"], "affinity" in template["spec"]) == (
        annotations,
        False,
    )


def test_without_a_topology_an_affinity_does_so(platform_after: PlatformWith) -> None:
    template = _pod(platform_after("nvl72", *LARGE), "job", 18)
    (term,) = template["spec"]["affinity"]["podAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    assert (term["topologyKey"], "annotations" in template["metadata"]) == (
        "nvidia.com/gpu.clique",
        False,
    )


JOINED = "--nodes: NVLink joins 18 nodes of pool gb200 at most"
BY_TOPOLOGY = "or more where the pool has a topology, by queues of kueue"


@pytest.mark.parametrize(
    ("kind", "nodes", "queued", "problem"),
    [
        ("job", 19, False, f"{JOINED}; allowed: 1 to 18, {BY_TOPOLOGY}"),
        ("trainjob", 36, True, f"{JOINED}; allowed: 1 to 18"),
        ("job", 19, True, f"{JOINED}, and 19 are no 2 parts of the same size; allowed: 18 or 20"),
        ("job", 55, True, f"{JOINED}, and 55 are no 4 parts of the same size; allowed: 54 or 56"),
    ],
)
def test_a_job_that_no_domains_can_hold_is_refused(
    platform_after: PlatformWith, kind: str, nodes: int, queued: bool, problem: str
) -> None:
    trained = ("pools:\n", "training: {trainer: {}}\npools:\n")
    platform = platform_after("nvl72", *LARGE, *(QUEUED if queued else (trained,)))
    asked = ask(kind=kind, team="simulation", pool="gb200", gpus=4, nodes=nodes)
    with pytest.raises(AskedError) as raised:
        new_workload(asked, platform)
    assert [str(each) for each in raised.value.problems] == [problem]
