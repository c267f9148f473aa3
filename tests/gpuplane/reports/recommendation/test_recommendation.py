"""What a recommendation saves, and that its lines can be pasted."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.cluster_file.fault import RenderError
from charts_py.load import draft_of
from gpuplane.reports.recommendation.recommendation import Recommendation, nodes_of, recommend
from gpuplane.reports.recommendation.recommendation_table import (
    pool_blocks,
    pool_fields,
    recommendation_notes,
)
from gpuplane.reports.recommendation.target import Target, model_target, read_cluster
from gpuplane.reports.recommendation.workload import Workload
from gpus.catalog import load_catalog
from gpus.pool_facts import PoolFacts
from gpus.sharing import Sharing, SharingKind
from tests.conftest import CLUSTERS
from tests.e2e.claims.test_utilisation import WITH_SHARING
from tests.e2e.claims.trace import GPUS_OF_A_JOB, SERVICES, services, training_jobs

TARGETS = ("A100-SXM-80", "L40S", "onprem/h200", "inference/a100-mig", "mixed/t4spot")


def test_sharing_takes_services_from_13_percent_to_more_than_80(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    services = workload(average=0.13, peak=0.14, pods=200)
    found = recommend({"services": services}, target("A100-SXM-80"))
    assert (found.before.nodes, found.before.utilization) == (25, Fraction(13, 100))
    assert (found.after.nodes, found.after.utilization) == (4, Fraction(8125, 10000))


def test_nodes_are_used_as_much_as_the_evidence_measures(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    """The pods that run there with sharing: all services, and a training job on each other node."""
    in_use = [each.gpus_in_use for each in services()]
    a_job = training_jobs()[0].gpus_in_use
    measured = {"average": float(sum(in_use) / SERVICES), "peak": float(max(in_use))}
    jobs = {"average": float(a_job / GPUS_OF_A_JOB), "pods": WITH_SHARING["a100"]}
    training = workload(memory="60Gi", gpusPerPod=GPUS_OF_A_JOB, **jobs)
    workloads = {"services": workload(**measured, pods=SERVICES), "training": training}
    found = recommend(workloads, target("A100-SXM-80"))
    services_nodes, training_nodes = (layout.after.nodes for layout in found.layouts)
    assert {"a100-mig": services_nodes, "a100": training_nodes} == WITH_SHARING
    assert found.layouts[0].before.utilization == Fraction(19, 200)
    assert found.after.utilization == Fraction(1618, 2000)


def test_workloads_that_share_alike_are_on_the_same_nodes(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    small = workload(average=0.1, peak=0.14, pods=3)
    found = recommend({"one": small, "two": small}, target("A100-SXM-80"))
    (layout,) = found.layouts
    assert (layout.workloads, layout.before.gpus, layout.after.gpus) == (("one", "two"), 6, 1)


def test_the_only_pod_of_a_pool_has_its_gpu_to_itself(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    found = recommend({"one": workload(average=0.1, peak=0.1)}, target("A100-SXM-80"))
    (choice,) = found.choices
    assert choice.option is not None
    assert choice.option.sharing == Sharing()
    assert [one.reason for one in choice.refusals if one.kind is SharingKind.MIG] == [
        "one pod has nobody to share with"
    ]


def test_no_pool_is_shared_by_mps_where_another_is_partitioned(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    replicas = workload(memory="4Gi", average=0.05, latency="none", trust="team", pods=40)
    alone = recommend({"replicas": replicas}, target("A100-SXM-80"))
    assert [layout.option.kind for layout in alone.layouts] == [SharingKind.MPS]
    both = {"services": workload(average=0.1, peak=0.14, pods=40), "replicas": replicas}
    found = recommend(both, target("A100-SXM-80"))
    assert [layout.option.kind for layout in found.layouts] == [SharingKind.MIG]
    assert [one.reason for one in found.choices[1].refusals if one.kind is SharingKind.MPS] == [
        (
            "the device plugin does not start with MPS beside MIG (recommended); "
            "allowed: timeSlicing; or MPS in a cluster without MIG"
        )
    ]


def test_what_else_of_the_file_no_longer_fits_is_told_with_its_line(
    target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    large = workload(memory="20Gi", gpusPerPod=4, pods=30)
    assert recommend({"training": large}, target("mixed/t4spot")).layouts == ()
    found = recommend({"training": workload(average=0.9, pods=90)}, target("mixed/t4spot"))
    quota, nodes = [note.partition("clusters/")[2] for note in recommendation_notes(found)][-2:]
    assert quota.startswith("mixed.yaml:73: teams.vision.namespaces.vision-notebooks.quota.gpus")
    assert quota.endswith("allowed: at most 40, which is 10 nodes x 4 allocations")
    most = "10 nodes, and the workloads fill 23; allowed: at least 23"
    assert nodes == f"mixed.yaml:32: pools.t4spot.nodes.max: {most}"


@pytest.mark.parametrize(
    ("cluster", "model", "machine"),
    [
        ("inference", "L4", {"instanceType": "g2-standard-96"}),
        ("mixed", "A100-SXM-80", {"instanceType": "Standard_ND96amsr_A100_v4"}),
        ("training", "H100-SXM", {"instanceType": "p5.48xlarge"}),
        ("onprem", "H200-SXM", {"gpu": "H200-SXM", "gpus": 8}),
    ],
)
def test_machines_of_a_model_are_those_that_a_cluster_could_have(
    cluster: str, model: str, machine: dict[str, object], workload: Callable[..., Workload]
) -> None:
    target = model_target(model, None, read_cluster(CLUSTERS, cluster))
    found = recommend({"one": workload(pods=9)}, target)
    (layout,) = found.layouts
    assert {**pool_fields(layout, found), **machine} == pool_fields(layout, found)
    assert (found.price is None) == (cluster == "onprem")


GAUDI = "gaudi"
"""The vendor of GPUs whose device plugin gpuplane does not install."""


@pytest.mark.parametrize(
    "name", [each.name for each in load_catalog().models.values() if each.vendor != GAUDI]
)
def test_every_model_can_be_asked_for(
    name: str, target: Callable[[str], Target], workload: Callable[..., Workload]
) -> None:
    found = recommend({"one": workload(memory="1Gi", latency="none", pods=9)}, target(name))
    assert len(found.layouts) == 1


def test_a_model_that_no_cluster_may_have_is_refused_as_there(
    target: Callable[[str], Target],
) -> None:
    with pytest.raises(RenderError, match="gpuplane installs no device plugin for Gaudi3"):
        target("Gaudi3")


PERCENTS = st.tuples(st.integers(1, 100), st.integers(1, 100)).map(sorted)


def _workload(percents: list[int], **fields: object) -> Workload:
    average, peak = (percent / 100 for percent in percents)
    return Workload.model_validate({**fields, "average": average, "peak": peak})


WORKLOADS = st.builds(
    _workload,
    percents=PERCENTS,
    memory=st.integers(1, 100).map("{}Gi".format),
    pods=st.integers(1, 300),
    gpusPerPod=st.sampled_from([1, 1, 1, 4]),
    latency=st.sampled_from(["none", "soft", "strict"]),
    stage=st.sampled_from(["development", "production"]),
    trust=st.sampled_from(["team", "others"]),
)


@pytest.mark.parametrize("name", TARGETS)
@given(workloads=st.dictionaries(st.sampled_from("ab"), WORKLOADS, min_size=1))
def test_every_block_is_valid_and_offers_what_it_promises(
    name: str, workloads: dict[str, Workload], target: Callable[[str], Target]
) -> None:
    found = recommend(workloads, target(name))
    pools = _pasted(found)
    for number, layout in enumerate(found.layouts):
        facts = pools[found.target.pool_name(number)]
        pods = sum(workloads[one].pods * workloads[one].gpus_per_pod for one in layout.workloads)
        assert facts.allocations_per_node * layout.after.nodes >= pods
        assert layout.after.gpus <= layout.before.gpus
        assert 0 < layout.after.utilization <= 1
        for one in layout.workloads:
            needed = workloads[one].memory_bytes * facts.sharing.time_slicing
            assert facts.resources[0].memory_mib * 2**20 >= needed


def _pasted(found: Recommendation) -> dict[str, PoolFacts]:
    """Return the facts of all recommended pools in one cluster file, which has no fault of them."""
    target = found.target
    stated = target.cluster.content["pools"]
    pools = dict(stated)
    for block in pool_blocks(found):
        for name, fields in yaml.safe_load(block)["pools"].items():
            pools[name] = {**stated[target.pool.name], **fields}
    draft, problems = draft_of(target.cluster.file, {**target.cluster.content, "pools": pools})
    # Quotas, hosts and reservations are whoever's who pastes it.
    wrong = [each for each in problems if {"sharing", "maxPods"} & set(each.path)]
    assert [str(each) for each in wrong] == []
    return {pool.name: pool.facts for pool in draft.pools if pool.facts is not None}


@pytest.mark.parametrize(
    ("pods", "nodes"),
    [
        ({1: 200}, 25),
        ({8: 21}, 21),
        ({8: 21, 1: 200}, 46),
        ({5: 2, 3: 2}, 2),
        ({5: 3, 3: 1}, 3),
        ({4: 3, 2: 2}, 2),
        ({}, 0),
    ],
)
def test_pods_fill_nodes_the_largest_first(pods: dict[int, int], nodes: int) -> None:
    assert nodes_of(Counter(pods), gpus_per_node=8) == nodes
