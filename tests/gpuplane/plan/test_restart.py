"""Who starts again after a change, over the whole platform; played, the whole first sentence."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.plan.headline import headline
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import Plan
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.plan.restart import Holding, Restart, restarts
from gpuplane.plan.restart_effects import with_unplaceable
from gpuplane.plan.restart_words import restart_clauses
from gpuplane.plan.rollout import Mechanism, Rollout, exactly
from gpuplane.release.edited_tree import edited_tree
from gpuplane.versions.base import find_base
from tests.gpuplane.versions.conftest import Repository, new_repository

Texts: TypeAlias = Mapping[str, str]
SLICE = "nvidia.com/mig-1g.5gb"
TEAM = """\
teams:
  search:
    owner: search@example.com
    costCenter: "1"
    members: {{users: [search]}}
    priorities: [inference]
    namespaces:
      search:
        purpose: inference
        quota: {{gpus: {{a100: {quota}}}, cpu: {cpu}, memory: 1Ti, storage: 1Ti}}
"""
KARPENTER = """\
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {{repository: https://git.example.com/platform.git}}
eks: {{clusterName: lab, nodeRole: lab, imageRelease: 1.35.6-20260714, provisioner: {by}}}
pools:
  a100:
    instanceType: p4d.24xlarge
    purpose: inference
    nodes: {{min: {least}, max: {most}}}
    interconnect: ethernet
    sharing: {{mig: {mig}}}
"""
MACHINES = """\
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {{repository: https://git.example.com/platform.git}}
pools:
  a100:
    gpu: A100-SXM-40
    gpus: 8
    cpu: 96
    memory: 1Ti
    purpose: inference
    nodes: {{max: {most}}}
    sharing: {{mig: {mig}}}
    match: {{hostnames: ["^lab"]}}
{other}"""
SEVEN, THREE, BOTH = "{1g.5gb: 7}", "{2g.10gb: 3}", "{1g.5gb: 1, 2g.10gb: 3}"
BEFORE = {
    "mig": SEVEN,
    "quota": "80",
    "least": "1",
    "most": "3",
    "by": "karpenter",
    "cpu": "200",
    "other": "",
}
DISTURBED = "Disruptive: running workloads are disturbed; "
NO_POOL = f"no pool offers {SLICE} any more, and "
RANKER, INDEXER = "Deployment search/ranker", "Deployment search/indexer"
OTHER = """\
  other:
    gpu: A100-SXM-40
    gpus: 8
    cpu: 96
    memory: 1Ti
    purpose: inference
    nodes: {max: 3}
    sharing: {mig: {1g.5gb: 7}}
    match: {hostnames: ["^other"]}
"""
STAY = "other nodes of lab/a100 stay as they are while pods run there that fit nowhere else; "
MOVE = (
    "pods on 8 to 24 GPUs of lab/a100 move to new nodes, which come first, over 5 minutes to "
    "2.2 hours; "
)


def _deployment(
    replicas: int, *, gpus: int = 1, name: str = "ranker", selector: Texts | None = None
) -> Document:
    limits = {SLICE: gpus, "cpu": "1", "memory": "4Gi"}
    container = {"name": "main", "image": "nvcr.io/nvidia/cuda:13.0"}
    pod = {"containers": [{**container, "resources": {"limits": limits}}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "search"},
        "spec": {"replicas": replicas, "template": {"spec": {**pod, "nodeSelector": selector}}},
    }


Play: TypeAlias = Callable[..., Plan]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Return the function that plans a change of a cluster, of which version 1.0.0 is rendered."""
    made: dict[str, Repository] = {}

    def played(cluster: str, changed: Texts, workloads: list[Document] | None = None) -> Plan:
        old, new = ((cluster + TEAM).format(**{**BEFORE, **each}) for each in ({}, changed))
        if cluster not in made:
            made[cluster] = new_repository(tmp_path_factory.mktemp("played"))
            (made[cluster].clusters / "lab.yaml").write_text(old, encoding="utf-8")
            made[cluster].synth()
            made[cluster].commit()
        repository = made[cluster]
        (repository.clusters / "lab.yaml").write_text(new, encoding="utf-8")
        folders = (repository.clusters, repository.dist)
        return plan(
            PlanRequest(
                *folders,
                today=dt.date(2026, 11, 24),
                base=find_base(repository.directory, "HEAD"),
                here=edited_tree(*folders),
                workloads={} if workloads is None else {"lab": workloads},
            )
        )

    return played


@pytest.mark.parametrize(
    ("cluster", "changed", "workloads", "said"),
    [
        pytest.param(
            KARPENTER,
            {"mig": THREE, "quota": "60"},
            None,
            f"{NO_POOL}pods of lab/search that ask for it never start again; pods on 8 GPUs of "
            f"lab/a100 are evicted as their nodes are replaced, over 5 to 65 minutes; {STAY}"
            "lab/search gains 5.7 GPUs of quota; what nodes cost stays the same.",
            id="Karpenter leaves nodes whose pods fit nowhere, but for those of a static NodePool",
        ),
        pytest.param(
            KARPENTER,
            {"mig": THREE, "quota": "60"},
            [_deployment(60)],
            f"{NO_POOL}60 pods of {RANKER} never start again; pods on 8 GPUs of lab/a100 are "
            f"evicted as their nodes are replaced, over 5 to 65 minutes; {STAY}lab/search gains "
            "5.7 GPUs of quota; what nodes cost stays the same.",
            id="a workload that never starts again is told once, not also as one that is refused",
        ),
        pytest.param(
            KARPENTER,
            {"mig": BOTH, "quota": "64"},
            None,
            f"the quota of lab/search lets 16 of up to 80 {SLICE} start again; {MOVE}lab/search "
            "gains 4.6 GPUs of quota; what nodes cost stays the same.",
            id="a part of the quota is left",
        ),
        pytest.param(
            KARPENTER,
            {"mig": BOTH, "quota": "64"},
            [_deployment(60)],
            f"44 of 60 pods of {RANKER} are refused by the quota of lab/search when "
            f"they start again; {MOVE}lab/search gains 4.6 GPUs of quota; what nodes cost stays "
            "the same.",
            id="replicas beyond the quota are refused",
        ),
        pytest.param(
            KARPENTER,
            {"mig": BOTH, "quota": "64"},
            [_deployment(12)],
            f"{MOVE}lab/search gains 4.6 GPUs of quota; lab/search loses 64 {SLICE} of quota; what "
            "nodes cost stays the same.",
            id="replicas within the quota move",
        ),
        pytest.param(
            MACHINES,
            {"mig": THREE, "quota": "60"},
            [_deployment(60)],
            f"{NO_POOL}60 pods of {RANKER} never start again; 0 to 24 GPUs of lab/a100 are out at "
            "once, for 0 to 25 minutes; lab/search gains 5.7 GPUs of quota; what nodes cost stays "
            "the same.",
            id="machines of your own are laid out anew",
        ),
        pytest.param(
            KARPENTER.replace("{by}", "eksctl"),
            {"mig": THREE, "quota": "60"},
            None,
            f"{NO_POOL}pods of lab/search that ask for it never start again; no GPU is out; "
            "lab/search gains 5.7 GPUs of quota; what nodes cost stays the same.",
            id="node groups stay until somebody runs eksctl",
        ),
    ],
)
def test_the_first_sentence_says_who_starts_again(
    play: Play, cluster: str, changed: Texts, workloads: list[Document] | None, said: str
) -> None:
    assert headline(play(cluster, changed, workloads)) == DISTURBED + said


def test_a_lowered_quota_of_pods_that_are_stopped_does_not_let_them_stay(play: Play) -> None:
    (cluster,) = play(KARPENTER, {"mig": BOTH, "quota": "64", "cpu": "150"}).clusters
    (quota,) = (each for each in cluster.objects if each.placed.key.name == "quota")
    assert [(each.verdict.word, each.reason) for each in quota.effects[:2]] == [
        (
            "disruptive",
            (
                "The same change stops pods that it counts: 16 of up to 80 "
                f"{SLICE} start again, and others are refused until usage is below it."
            ),
        ),
        (
            "deferred",
            (
                "200 becomes 150: pods and other objects stay, even above it; new ones are refused "
                "until usage is below it. The same change stops pods on a100, which count as new "
                "ones."
            ),
        ),
    ]


def test_each_node_pool_says_what_becomes_of_pods_that_fit_nowhere(play: Play) -> None:
    (cluster,) = play(KARPENTER, {"mig": THREE, "quota": "60"}).clusters
    reasons = {
        each.placed.key.name: each.effects[0].reason.partition("within the budgets. ")[2]
        for each in cluster.objects
        if each.placed.key.kind == "NodePool"
    }
    source = "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.1/pkg/controllers/disruption"
    assert reasons == {
        "a100": (
            "A node stays as it is while a pod of it fits nowhere else, as one that asks for "
            f"{SLICE}, until somebody deletes it or the node expires ({source}/drift.go). Pods "
            "that must not be evicted do not hold it: they go once terminationGracePeriod ends."
        ),
        "a100.minimum": (
            "Its pods are evicted whether or not they fit elsewhere, and so are those that ask for "
            f"{SLICE} ({source}/staticdrift.go)."
        ),
    }


Sides: TypeAlias = Callable[..., tuple[Platform, Platform]]


@pytest.fixture
def sides(platform_of: Callable[[str], Platform]) -> Sides:
    """Return the function that reads a cluster of machines before and after a change."""

    def read(**changed: Any) -> tuple[Platform, Platform]:
        extra = changed.pop("extra", "")
        old, new = (
            (MACHINES + TEAM).format(**{**BEFORE, **each}) + extra for each in ({}, changed)
        )
        return platform_of(old), platform_of(new)

    return read


def _restarts(
    sides: tuple[Platform, Platform], *workloads: Document, **nodes: int
) -> tuple[Restart, ...]:
    running = {("sample", pool): count for pool, count in nodes.items()}
    return tuple(restarts(*sides, ["a100"], running, workloads or None))


def test_pods_that_can_only_be_on_a_pool_with_fewer_nodes_find_none(sides: Sides) -> None:
    workload = _deployment(60, selector={"gpuplane.io/pool": "a100"})
    found = _restarts(sides(most="1", quota="56, other: 24", other=OTHER), workload)
    assert found == (
        Restart(SLICE, True, False, (Holding("search", 60, waiting=4, workloads=(RANKER,)),)),
    )
    assert [*restart_clauses("lab", found)] == [
        f"4 of 60 pods of {RANKER} find no node when they start again"
    ]


def test_groups_and_jobs_count_the_pods_that_they_run_at_once(sides: Sides) -> None:
    template = _deployment(1)["spec"]["template"]
    metadata = {"name": "ranker", "namespace": "search"}
    job = {"parallelism": 6, "completions": 40, "template": template}
    group = {"replicas": 4, "leaderWorkerTemplate": {"size": 3, "workerTemplate": template}}
    (found,) = _restarts(
        sides(quota="16"),
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job},
        {
            "apiVersion": "leaderworkerset.x-k8s.io/v1",
            "kind": "LeaderWorkerSet",
            "metadata": metadata,
            "spec": group,
        },
    )
    assert (found.holdings[0].count, found.holdings[0].refused) == (18, 2)


def test_no_more_run_than_the_nodes_that_somebody_counted_hold(sides: Sides) -> None:
    (found,) = _restarts(sides(quota="16"), a100=1)
    assert found.holdings == (Holding("search", 56, counts_pods=False, refused=40),)


def test_pods_already_beyond_the_quota_are_not_reported(sides: Sides) -> None:
    (found,) = _restarts(sides(quota="16"), _deployment(60), _deployment(40, name="indexer"))
    assert found.holdings == (Holding("search", 80, refused=64, workloads=(RANKER, INDEXER)),)
    assert _restarts(sides(), _deployment(100)) == ()


def test_pods_of_different_sizes_count_by_what_they_ask_for(sides: Sides) -> None:
    (found,) = _restarts(sides(quota="16"), _deployment(10), _deployment(5, gpus=2, name="indexer"))
    assert found.holdings == (Holding("search", 20, False, refused=4, workloads=(RANKER, INDEXER)),)


MIXED = f"pods of {RANKER}, {INDEXER} that ask for"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param(
            {"quota": "16"},
            f"{MIXED} 4 of 20 {SLICE} are refused by the quota of lab/search when they start again",
            id="refused",
        ),
        pytest.param(
            {"quota": "16", "extra": "queues: {}\n"},
            f"{MIXED} 4 of 20 {SLICE} wait for the quota of lab/search when they start again",
            id="waiting for the quota",
        ),
        pytest.param(
            {"mig": THREE, "quota": "60"}, f"{NO_POOL}{MIXED} it never start again", id="gone"
        ),
    ],
)
def test_no_sentence_takes_what_pods_of_different_sizes_ask_for_for_pods(
    sides: Sides, changed: Texts, said: str
) -> None:
    found = _restarts(sides(**changed), _deployment(10), _deployment(5, gpus=2, name="indexer"))
    assert [*restart_clauses("lab", found)] == [said]


def test_pods_of_different_sizes_find_no_node_for_a_part_of_what_they_ask_for(sides: Sides) -> None:
    selector = {"gpuplane.io/pool": "a100"}
    workloads = (
        _deployment(40, selector=selector),
        _deployment(10, gpus=2, name="indexer", selector=selector),
    )
    found = _restarts(sides(most="1", quota="56, other: 24", other=OTHER), *workloads)
    assert [*restart_clauses("lab", found)] == [
        f"{MIXED} 4 of 60 {SLICE} find no node when they start again"
    ]


def test_a_pod_of_two_resources_that_go_is_not_counted_twice() -> None:
    holdings = (Holding("search", 5, workloads=(RANKER,)),)
    gone = [Restart(each, False, False, holdings) for each in (SLICE, "nvidia.com/gpu")]
    assert [*restart_clauses("lab", gone)] == [
        (
            f"no pool offers {SLICE}, nvidia.com/gpu any more, and pods of {RANKER} that ask for "
            "them never start again"
        )
    ]


def test_pods_that_no_change_stops_stay(sides: Sides) -> None:
    assert tuple(restarts(*sides(quota="16"), (), {}, None)) == ()


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("", f"1 of 17 pods of {RANKER} is refused by the quota of lab/search when "),
        ("queues: {}\n", f"1 of 17 pods of {RANKER} waits for the quota of lab/search when "),
    ],
)
def test_where_queues_are_pods_wait_rather_than_that_they_are_refused(
    sides: Sides, extra: str, said: str
) -> None:
    found = _restarts(sides(quota="16", extra=extra), _deployment(17))
    assert [*restart_clauses("lab", found)] == [f"{said}it starts again"]


def test_a_pool_that_offers_no_resource_moves_its_pods(sides: Sides) -> None:
    outage = Outage(Rollout(Mechanism.DRIFT, "cpu"), (PoolNodes("lab", "cpu", exactly(1), 0),))
    gone = Restart(SLICE, False, False, (Holding("search", 1, waiting=1),))
    assert with_unplaceable(outage, sides()[0], [gone]) == outage


def test_a_namespace_without_a_quota_any_more_is_told(sides: Sides) -> None:
    found = _restarts(sides(quota="0"))
    assert [*restart_clauses("lab", found)] == [
        (
            f"lab/search has no quota of {SLICE} any more, and its pods that ask for it never "
            "start again"
        )
    ]
