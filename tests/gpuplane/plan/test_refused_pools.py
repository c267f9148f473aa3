"""A pool that refuses its change keeps its machines: money, capacity and the report follow them."""

import datetime as dt
from pathlib import Path
from typing import NamedTuple

import pytest

from gpuplane.fleet_report.fleet_page import report_of
from gpuplane.fleet_report.report_page import ReportPage
from gpuplane.plan.compared_cost import compare_cost
from gpuplane.plan.headline import headline
from gpuplane.plan.json_format import plan_fields
from gpuplane.plan.plan import Plan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.versions.base import find_base
from tests.gpuplane.versions.conftest import Repository, new_repository
from tests.gpuplane.versions.rendered_versions import write_version

TODAY = dt.date(2026, 11, 24)
CLUSTER = """\
provider: gke
region: europe-west4
kubernetes: "1.36"
version: {version}
gitops: {{repository: https://git.example.com/platform.git}}
policies: {{admission: {admission}}}
addons: {addons}
gke: {{project: example-lab, clusterName: lab, location: europe-west4}}
pools:
  l4:
    instanceType: {machine}
    purpose: batch
    purchase: {purchase}
    zones: [europe-west4-a]
    nodes: {{min: 1, max: {most}}}
teams:
  research:
    owner: research@example.com
    costCenter: "1"
    members: {{users: [research]}}
    priorities: [batch]
    namespaces:
      research:
        purpose: batch
        quota: {{gpus: {{l4: {quota}}}, cpu: 100, memory: 1Ti, storage: 1Ti}}
"""
POOL = """\
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {{name: l4, namespace: node-pools}}
spec:
  autoscaling: {{totalMinNodeCount: 1, totalMaxNodeCount: {most}}}
  nodeConfig: {{machineType: {machine}, labels: {{gpuplane.io/pool: l4}}, spot: {spot}}}
"""


class Side(NamedTuple):
    """What the cluster file asks for."""

    machine: str = "g2-standard-24"
    """It has 2 L4; a g2-standard-48 has 4."""
    most: int = 4
    quota: int = 8
    purchase: str = "on-demand"
    admission: str = "webhook-only"
    addons: str = "{}"


def _play(folder: Path, old: Side, new: Side) -> Repository:
    repository = new_repository(folder)
    for version, side in (("1.0.0", old), ("1.1.0", new)):
        text = CLUSTER.format(version=version, **side._asdict())
        (repository.clusters / "lab.yaml").write_text(text, "utf-8")
        spot = str(side.purchase == "spot").lower()
        pool = POOL.format(machine=side.machine, most=side.most, spot=spot)
        write_version(repository.dist, f"lab/{version}", "1.36", spec_digest=version, pool=pool)
        if version == "1.0.0":
            repository.commit()
    return repository


def _plan(repository: Repository) -> Plan:
    base = find_base(repository.clusters.parent, "HEAD")
    return plan(PlanRequest(repository.clusters, repository.dist, TODAY, base=base))


def _report(repository: Repository) -> ReportPage:
    base = find_base(repository.clusters.parent, "HEAD")
    return report_of(repository.clusters, repository.dist, (), TODAY, base)


def _notes(found: Plan) -> tuple[str, ...]:
    every = parts(found.clusters[0], None)
    return next((each.notes for each in every if each.title == "Pools that stay as they are"), ())


LARGER = Side("g2-standard-48", quota=16)
AS_IT_IS = (
    "Cost and capacity count the machines that these pools have, which stay until somebody deletes "
    "a pool and makes it again."
)
ASSUMED = (
    "The webhook of this version already judges by the new machines of l4: it refuses pods that "
    "only the old ones take, and what only the new ones take waits."
)
MORE = "+1,535 USD a month with the fewest nodes, +6,141 with the most, 8 GPUs more"


def test_the_command_cost_charges_a_refused_change_no_more_than_the_plan(tmp_path: Path) -> None:
    repository = _play(tmp_path, Side(), LARGER)
    base = find_base(tmp_path, "HEAD")
    assert base is not None
    found = compare_cost(repository.clusters, repository.dist, (), base)
    assert found.comparison == _plan(repository).clusters[0].cost
    assert found.notes == (
        f"lab/l4 stays as it is, as the cloud refuses the change; if it is made again: {MORE}.",
    )


def test_the_command_cost_charges_what_is_not_refused(tmp_path: Path) -> None:
    repository = _play(tmp_path, Side(), Side(most=6))
    base = find_base(tmp_path, "HEAD")
    assert base is not None
    found = compare_cost(repository.clusters, repository.dist, (), base)
    assert found.comparison == _plan(repository).clusters[0].cost
    assert found.notes == ()


def test_the_command_cost_knows_what_patches_ask_for(tmp_path: Path) -> None:
    repository = new_repository(tmp_path)
    file, text = (
        repository.clusters / "lab.yaml",
        CLUSTER.format(version="1.0.0", **Side()._asdict()),
    )
    file.write_text(text, "utf-8")
    repository.commit()
    machine = "path: /spec/nodeConfig/machineType, value: g2-standard-48"
    patch = f"{{kind: ContainerNodePool, name: l4, operations: [{{op: replace, {machine}}}]}}"
    file.write_text(f"{text}extensions: {{patches: [{patch}]}}\n", "utf-8")
    base = find_base(tmp_path, "HEAD")
    assert base is not None
    (kept,) = compare_cost(repository.clusters, repository.dist, (), base).kept
    assert (kept.cluster, kept.remade.name) == ("lab", "l4")


class Refused(NamedTuple):
    """A change that GKE refuses, and what the plan says of it."""

    old: Side
    new: Side
    again: str
    """What making the pool again would bring."""
    out: str = "2 to 8"
    moved: str = ""
    over: str = ""


@pytest.mark.parametrize(
    "change",
    [
        Refused(
            Side(),
            LARGER,
            MORE,
            moved="lab/research gains 8 GPUs of quota; ",
            over="; quotas on lab/l4 exceed what it has by 8 nvidia.com/gpu",
        ),
        Refused(
            Side(),
            Side("g2-standard-48", most=2),
            "+1,535 USD a month with the fewest nodes, +0 with the most, as many GPUs",
        ),
        Refused(
            LARGER,
            Side(),
            "-1,535 USD a month with the fewest nodes, -6,141 with the most, 8 GPUs fewer",
            out="4 to 16",
            moved="lab/research loses 8 GPUs of quota; pods on lab/l4 can ask for 2 "
            "nvidia.com/gpu at most in place of 4; pods on lab/l4 that ask for more than 23 CPUs "
            "or 88Gi of memory may be refused, or wait, when they start again; ",
        ),
        Refused(
            Side(),
            Side(purchase="spot"),
            "what it costs then is not known, as many GPUs",
            moved="pods on lab/l4 have to opt in to spot nodes; ",
        ),
    ],
    ids=["more GPUs", "the same GPUs on fewer machines", "fewer GPUs", "no price of spot"],
)
def test_a_pool_that_stays_costs_and_has_what_it_did(change: Refused, tmp_path: Path) -> None:
    found = _plan(_play(tmp_path, change.old, change.new))
    assert headline(found) == (
        "Immutable: part of it is refused, and stays as it is (ContainerNodePool node-pools/l4); "
        f"no GPU is out; making lab/l4 anew would take {change.out} GPUs out, for at least 5 "
        f"minutes; {change.moved}what nodes cost stays the same; if lab/l4 is made again: "
        f"{change.again}{change.over}."
    )
    assert _notes(found) == (AS_IT_IS, f"If l4 is made again: {change.again}.", ASSUMED)


def test_the_api_server_may_be_what_assumes_new_machines(tmp_path: Path) -> None:
    sides = (each._replace(admission="in-tree-only") for each in (Side(), LARGER))
    assert _notes(_plan(_play(tmp_path, *sides)))[-1] == (
        "The API server's policy of this version already judges by the new machines of l4: it "
        "refuses pods that only the old ones take, and what only the new ones take waits."
    )


WATCHED = "{gpuHealth: {}}"


def test_nodes_that_stay_lack_gpus_that_their_detector_expects(tmp_path: Path) -> None:
    repository = _play(tmp_path, *(each._replace(addons=WATCHED) for each in (Side(), LARGER)))
    found, page = _plan(repository), _report(repository)
    said = "report gpuplane.io/GpuNotReady, as they have 2 of 4 nvidia.com/gpu"
    assert f"; nodes of lab/l4 {said}; if lab/l4 is made again: {MORE};" in headline(found)
    assert f"Until it is made again, nodes of l4 {said}." in _notes(found)
    (decision,) = (each for each in page.decisions if each.kind == "refused")
    assert decision.text.endswith(f"once its pods are gone. Until then nodes of l4 {said}.")


@pytest.mark.parametrize(
    ("new", "addons"), [(Side(), WATCHED), (Side("g2-standard-96", quota=32), "{}")]
)
def test_nodes_that_stay_lack_nothing_where_nobody_expects_more(
    tmp_path: Path, new: Side, addons: str
) -> None:
    sides = (each._replace(addons=addons) for each in (LARGER, new))
    (cluster,) = _plan(_play(tmp_path, *sides)).clusters
    assert [(each.name, each.unmet) for each in cluster.remade] == [("l4", ())]


@pytest.mark.parametrize(
    ("old", "new", "most", "cost"),
    [(4, 8, "16 GPUs in place of 8", "+6,141"), (8, 4, "8 GPUs in place of 16", "-6,141")],
)
def test_a_size_is_taken_where_nothing_is_refused(
    tmp_path: Path, old: int, new: int, most: str, cost: str
) -> None:
    found = _plan(_play(tmp_path, Side(most=old), Side(most=new)))
    assert headline(found) == (
        f"Safe: nothing that runs is touched; no GPU is out; lab/l4 has at most {most}; "
        f"+0 USD a month with the fewest nodes, {cost} with the most."
    )
    assert _notes(found) == ()


def test_json_and_report_list_remade_pools(tmp_path: Path) -> None:
    (item,) = plan_fields(_plan(_play(tmp_path, Side(), LARGER)))["items"]
    assert item["remadePools"] == [
        {
            "name": "l4",
            "gpus": 8,
            "currency": "USD",
            "kept": 1535.19,
            "most": 6140.76,
            "isAssumed": True,
            "unmet": [],
        }
    ]
    (pool,) = item["allocations"]["pools"]
    assert [pool[side]["capacity"] for side in ("before", "after")] == [8, 8]


def test_the_report_draws_what_stays_and_says_what_would_come(tmp_path: Path) -> None:
    page = _report(_play(tmp_path, Side(), LARGER))
    (pool,) = page.pools
    assert pool.gpus_at_most == 8
    assert pool.refusal == (
        "Refused: its file asks for whole GPUs on 1 to 4 nodes. The pool stays as it is drawn, and "
        f"its quotas change. If it is made again: {MORE}."
    )
    assert [each.note for each in page.answer.costs] == ["", ""]
