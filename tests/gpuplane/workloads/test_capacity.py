"""How many pods a namespace has room for, as `gpuplane new` and `gpuplane lint` count them."""

import json
from dataclasses import asdict

import pytest

from charts_py.objects.document import Document
from gpuplane.lint.cluster_judge import ClusterJudge, cluster_judge
from gpuplane.lint.lint_run import read_facts
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.object_findings import rule_findings
from gpuplane.workloads.capacity import Capacity, most_pods
from gpuplane.workloads.place import Place, capacities, granted_pools
from gpuplane.workloads.workload import new_workload
from tests.conftest import CLUSTERS
from tests.gpuplane.workloads.conftest import ask, platform_named

CAPACITIES = (Capacity("a", "gpu", 16, 8, 4), Capacity("b", "gpu", 12, 4, 1))


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_the_capacities_of_a_cluster_are_those_of_all_its_places(cluster: str) -> None:
    platform = platform_named(cluster)
    assert capacities(platform) == {
        namespace.name: [
            Place(platform, namespace, pool, resource).capacity
            for pool in platform.pools
            if pool in granted_pools(platform, namespace)
            for resource in pool.facts.resources
        ]
        for namespace in platform.namespaces
    }


@pytest.mark.parametrize(
    ("pools", "gpus", "quota_by_pool", "most"),
    [
        (["a"], 8, True, 2),
        (["a"], 8, False, 3),
        (["a"], 1, True, 16),
        (["b"], 4, True, 1),
        (["b"], 1, True, 4),
        (["a", "b"], 4, True, 5),
        (["a", "b"], 4, False, 7),
        ([], 4, False, 0),
    ],
)
def test_so_many_pods_run_at_once(
    pools: list[str], gpus: int, quota_by_pool: bool, most: int
) -> None:
    assert most_pods(CAPACITIES, pools, gpus, quota_by_pool=quota_by_pool) == most


def _judge() -> ClusterJudge:
    (facts,) = loaded_clusters(CLUSTERS, ["training"])
    return cluster_judge(read_facts(json.loads(json.dumps(asdict(facts)))))


def _found(judge: ClusterJudge, document: Document) -> list[str]:
    found = rule_findings(judge, document, "default", None)
    return [each.message for each in found if each.rule == "workload-quota"]


def test_lint_passes_what_new_makes_at_most_and_finds_one_pod_more() -> None:
    judge, platform = _judge(), platform_named("training")
    namespace, pool = platform.namespace("research-training"), platform.pool("h100")
    most = Place(platform, namespace, pool, pool.facts.resources[0]).capacity.most_pods(8)
    asked = ask(kind="pytorchjob", gpus=8, nodes=most, namespace=namespace.name, pool=pool.name)
    job = new_workload(asked, platform).documents[-1]
    assert _found(judge, job) == []
    for replica in job["spec"]["pytorchReplicaSpecs"].values():
        replica["replicas"] += 1
        held = "more than pool h100 and the quota of research-training hold"
        told = f"{most + 1} pods with 8 nvidia.com/gpu each are {held}, so that the workload"
        assert _found(judge, job) == [f"{told} never starts."]
