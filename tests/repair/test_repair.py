"""One round: which nodes are repaired, which wait, and which are left to a person."""

import datetime as dt
from typing import Any

import pytest

from repair.outcome import Outcome
from repair.repair import repair
from repair.settings import Remedy, RepairAction, Settings
from rounds.servers import ApiServer
from tests.repair.cluster import (
    BOOT,
    DRIVER,
    HARDWARE,
    POOL,
    TAINT,
    ApiServerOf,
    Cluster,
    ago,
    condition,
)

PODS = "/api/v1/namespaces/gpuplane-reboot/pods"
CLAIM = "/apis/karpenter.sh/v1/nodeclaims/h200-abcde"
POD = {
    "metadata": {"name": "", "namespace": "gpuplane-reboot"},
    "spec": {"containers": [{"name": "reboot"}]},
}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


def repaired(
    cluster: Cluster,
    action: RepairAction = RepairAction.ACT,
    remedy: Remedy = Remedy.REBOOT,
    most: int = 10,
) -> list[Outcome]:
    pod = POD if (action, remedy) == (RepairAction.ACT, Remedy.REBOOT) else None
    days = {"NvidiaXID95Error": 30, "NvidiaXID79Error": 30, "NvidiaXID119Error": 1}
    bounds = {POOL: most, "other": most}
    settings = Settings(action, remedy, TAINT, (HARDWARE, DRIVER), bounds, days, pod)
    return list(repair(settings, ApiServer(ApiServerOf("", cluster=cluster))))


def decisions(outcomes: list[Outcome]) -> dict[str, str]:
    return {each.node.name: each.decision.value for each in outcomes}


def annotated(
    node: dict[str, Any], at: str, reasons: str = "NvidiaXID95Error", boot: str = "before"
) -> dict[str, Any]:
    node["metadata"]["annotations"] |= {
        "gpuplane.io/repaired-at": at,
        "gpuplane.io/repaired-for": reasons,
        "gpuplane.io/repaired-boot": boot,
    }
    return node


def planned(node: dict[str, Any], at: str) -> dict[str, Any]:
    node["metadata"]["annotations"] = {"gpuplane.io/repair-planned-at": at}
    return node


def well(node: dict[str, Any]) -> dict[str, Any]:
    node["spec"]["taints"] = []
    return node


def test_a_machine_of_ones_own_is_annotated_and_then_rebooted_by_a_pod_of_this_boot(
    cluster: Cluster,
) -> None:
    cluster.add_broken("gpu-1")
    assert decisions(repaired(cluster)) == {"gpu-1": "repaired"}
    (annotates, pod) = cluster.changes
    metadata = annotates[2]["metadata"]
    assert annotates[:2] == ("PATCH", "/api/v1/nodes/gpu-1")
    assert metadata["resourceVersion"] == "7"
    assert metadata["annotations"].pop("gpuplane.io/repaired-at") >= ago(minutes=1)
    assert metadata["annotations"] == {
        "gpuplane.io/repair-planned-at": None,
        "gpuplane.io/repaired-for": "NvidiaXID95Error",
        "gpuplane.io/repaired-boot": BOOT,
    }
    (container,) = pod[2]["spec"]["containers"]
    deadline = container["env"].pop()
    assert deadline["name"] == "NOT_AFTER"
    assert 0 < int(deadline["value"]) - dt.datetime.now(dt.UTC).timestamp() <= 180
    env = [{"name": "BOOT_ID", "value": BOOT}]
    assert pod == (
        "POST",
        PODS,
        {
            "metadata": {"name": "", "generateName": "gpu-1-", "namespace": "gpuplane-reboot"},
            "spec": {
                "containers": [{"name": "reboot", "env": env}],
                "nodeName": "gpu-1",
                "nodeSelector": {"gpuplane.io/pool": POOL},
            },
        },
    )


def test_a_machine_of_karpenter_is_replaced_by_deleting_this_very_node_claim(
    cluster: Cluster,
) -> None:
    cluster.add_broken("gpu-1")
    assert decisions(repaired(cluster, remedy=Remedy.REPLACE)) == {"gpu-1": "repaired"}
    assert [each[0] for each in cluster.changes] == ["PATCH", "DELETE"]
    assert cluster.changes[1] == ("DELETE", CLAIM, {"preconditions": {"uid": "c"}})


@pytest.mark.parametrize("minutes", [None, 1, 10, -5])
def test_a_node_is_planned_first_and_repaired_by_the_next_round_alone(
    cluster: Cluster, minutes: float | None
) -> None:
    node = cluster.add_broken("gpu-1")
    planned(node, "soon" if minutes is None else ago(minutes=minutes))
    assert decisions(repaired(cluster)) == {"gpu-1": "planned"}
    ((method, path, change),) = cluster.changes
    (time,) = change["metadata"]["annotations"].values()
    assert (method, path, change["metadata"]["resourceVersion"]) == (
        "PATCH",
        "/api/v1/nodes/gpu-1",
        "7",
    )
    assert list(change["metadata"]["annotations"]) == ["gpuplane.io/repair-planned-at"]
    assert time >= ago(minutes=1)
    assert cluster.events[0]["message"] == (
        "NvidiaXID95Error: reboot of the node begins in five minutes if it is idle."
    )


def test_a_node_without_annotations_is_planned(cluster: Cluster) -> None:
    del cluster.add_broken("gpu-1")["metadata"]["annotations"]
    assert decisions(repaired(cluster)) == {"gpu-1": "planned"}


def test_the_node_that_was_planned_comes_before_others(cluster: Cluster) -> None:
    planned(cluster.add_broken("gpu-1"), ago(minutes=10))
    cluster.add_broken("gpu-2")
    assert decisions(repaired(cluster)) == {"gpu-2": "repaired", "gpu-1": "waits"}


@pytest.mark.parametrize("remedy", list(Remedy))
def test_to_observe_changes_nothing_and_tells_who_describes_the_node(
    cluster: Cluster, remedy: Remedy
) -> None:
    cluster.add_broken("gpu-1")
    observed = repaired(cluster, RepairAction.OBSERVE, remedy)
    assert (decisions(observed), cluster.changes) == ({"gpu-1": "would-repair"}, [])
    (event,) = cluster.events
    assert event["involvedObject"] == {
        "apiVersion": "v1",
        "kind": "Node",
        "name": "gpu-1",
        "uid": "uid-gpu-1",
    }
    said = f"NvidiaXID95Error: {remedy} of the node would begin if repair did not observe."
    assert (event["reason"], event["message"]) == ("GpuRepair", said)


DAEMON = {"apiVersion": "apps/v1", "kind": "DaemonSet", "controller": True}


@pytest.mark.parametrize(
    ("metadata", "phase", "decision"),
    [
        ({}, "Running", "in-use"),
        ({}, "Pending", "in-use"),
        ({"ownerReferences": [{**DAEMON, "kind": "Job"}]}, "Running", "in-use"),
        ({"ownerReferences": [{**DAEMON, "apiVersion": "a.io/v1"}]}, "Running", "in-use"),
        ({}, "Succeeded", "repaired"),
        ({"ownerReferences": [DAEMON]}, "Running", "repaired"),
        ({"annotations": {"kubernetes.io/config.mirror": "a"}}, "Running", "repaired"),
    ],
    ids=["runs", "starts", "of a job", "of another DaemonSet", "over", "of a daemon", "static"],
)
def test_a_node_on_which_something_runs_is_not_touched(
    cluster: Cluster, metadata: dict[str, Any], phase: str, decision: str
) -> None:
    cluster.add_broken("gpu-1")
    cluster.add_pod("gpu-1", **metadata)["status"]["phase"] = phase
    cluster.add_pod("gpu-2", "elsewhere")
    (outcome,) = repaired(cluster)
    assert (outcome.decision, bool(cluster.changes)) == (decision, decision == "repaired")
    if decision == "in-use":
        assert outcome.reason == "pod research/train-0 runs on it"


@pytest.mark.parametrize(
    ("minutes", "decision"), [(-60, "in-use"), (5, "in-use"), (11, "repaired")]
)
def test_a_pod_that_ends_counts_until_it_hangs(
    cluster: Cluster, minutes: float, decision: str
) -> None:
    cluster.add_broken("gpu-1")
    cluster.add_pod("gpu-1", deletionTimestamp=ago(minutes=minutes))
    assert decisions(repaired(cluster)) == {"gpu-1": decision}


def _cordon(node: dict[str, Any]) -> None:
    node["spec"]["unschedulable"] = True


def _opt_out(node: dict[str, Any]) -> None:
    node["metadata"]["labels"]["gpuplane.io/repair"] = "never"


def _keep(node: dict[str, Any]) -> None:
    node["metadata"]["annotations"]["karpenter.sh/do-not-disrupt"] = "true"


def _control(node: dict[str, Any]) -> None:
    node["metadata"]["labels"]["node-role.kubernetes.io/control-plane"] = ""


def _recover(node: dict[str, Any]) -> None:
    node["status"]["conditions"] = []


def _only_now(node: dict[str, Any]) -> None:
    node["status"]["conditions"][1] = condition(HARDWARE, "NvidiaXID95Error", minutes=4)


def _another_pool(node: dict[str, Any]) -> None:
    node["metadata"]["labels"]["gpuplane.io/pool"] = "of-somebody"


@pytest.mark.parametrize(
    ("change", "decision"),
    [
        (_cordon, "left-alone"),
        (_opt_out, "left-alone"),
        (_keep, "left-alone"),
        (_control, "left-alone"),
        (_recover, "left-alone"),
        (_only_now, "waits"),
        (_another_pool, None),
        (well, None),
    ],
)
def test_a_node_is_left_alone_that_somebody_works_on_or_nothing_says_is_broken(
    cluster: Cluster, change: Any, decision: str | None
) -> None:
    change(cluster.add_broken("gpu-1"))
    assert decisions(repaired(cluster)) == ({"gpu-1": decision} if decision else {})
    assert cluster.changes == []


@pytest.mark.parametrize(
    ("reason", "last", "decision"),
    [
        ("NvidiaXID95Error", {"hours": 23}, "needs-a-person"),
        ("NvidiaXID95Error", {"days": 29}, "needs-a-person"),
        ("NvidiaXID95Error", {"days": 31}, "repaired"),
        ("NvidiaXID79Error", {"hours": 23}, "needs-a-person"),
        ("NvidiaXID79Error", {"days": 29}, "needs-a-person"),
        ("NvidiaXID119Error", {"days": 29}, "needs-a-person"),
        ("NvidiaXID95Error", {"minutes": 10}, "under-way"),
        ("NvidiaXID54Error", None, "needs-a-person"),
    ],
)
def test_a_fault_that_is_back_or_that_the_remedy_does_not_cure_is_left_to_a_person(
    cluster: Cluster, reason: str, last: dict[str, float] | None, decision: str
) -> None:
    node = cluster.add_broken("gpu-1", reason)
    if last:
        annotated(node, ago(**last))
    assert decisions(repaired(cluster)) == {"gpu-1": decision}
    assert bool(cluster.changes) == (decision == "repaired")
    assert len(cluster.events) == (decision != "under-way")


def test_of_two_faults_the_one_that_needs_a_person_decides(cluster: Cluster) -> None:
    node = cluster.add_broken("gpu-1", "NvidiaXID54Error")
    node["status"]["conditions"][-1] = condition(DRIVER, "NvidiaXID119Error")
    assert decisions(repaired(cluster)) == {"gpu-1": "needs-a-person"}


def test_a_driver_that_hangs_again_is_rebooted_once_a_day(cluster: Cluster) -> None:
    node = cluster.add_broken("gpu-1", "NvidiaXID119Error")
    for hours, decision in ((23, "needs-a-person"), (25, "repaired")):
        annotated(node, ago(hours=hours), "NvidiaXID119Error")
        assert decisions(repaired(cluster)) == {"gpu-1": decision}


@pytest.mark.parametrize("stated", ["yesterday", "9999-12-31", ""])
def test_a_time_of_repair_that_is_none_in_the_past_keeps_one_node_from_another(
    cluster: Cluster, stated: str
) -> None:
    annotated(cluster.add_broken("gpu-1"), stated)
    cluster.add_broken("gpu-2")
    assert decisions(repaired(cluster)) == {"gpu-1": "needs-a-person", "gpu-2": "repaired"}


def test_one_node_is_repaired_at_a_time(cluster: Cluster) -> None:
    for name in ("gpu-1", "gpu-2"):
        cluster.add_broken(name)
    cluster.add_pod("gpu-1")
    cluster.add_broken("gpu-3")
    first = repaired(cluster)
    assert decisions(first) == {"gpu-1": "in-use", "gpu-2": "repaired", "gpu-3": "waits"}
    assert first[-1].reason == "gpu-2 comes first"


def test_of_two_pools_one_node_is_repaired_at_a_time(cluster: Cluster) -> None:
    for name, pool in (("gpu-1", POOL), ("gpu-2", "other")):
        cluster.add_broken(name)["metadata"]["labels"]["gpuplane.io/pool"] = pool
    assert decisions(repaired(cluster)) == {"gpu-1": "repaired", "gpu-2": "waits"}


def _set_aside(node: dict[str, Any]) -> None:
    annotated(node, ago(minutes=10))


def _not_ready(node: dict[str, Any]) -> None:
    annotated(well(node), ago(minutes=10))["status"]["conditions"][0]["status"] = "Unknown"


def _ending(node: dict[str, Any]) -> None:
    annotated(node, ago(hours=1))["metadata"]["deletionTimestamp"] = ago(hours=1)


def _drains_long(node: dict[str, Any]) -> None:
    annotated(node, ago(hours=3), boot=BOOT)["metadata"]["deletionTimestamp"] = ago(hours=3)


def _ended_by_others(node: dict[str, Any]) -> None:
    node["metadata"]["deletionTimestamp"] = ago(minutes=1)


def _did_not_boot(node: dict[str, Any]) -> None:
    annotated(node, ago(hours=1), boot=BOOT)


def _did_not_come_back(node: dict[str, Any]) -> None:
    _not_ready(annotated(node, ago(hours=1)))
    annotated(node, ago(hours=1))


def _did_not_boot_yesterday(node: dict[str, Any]) -> None:
    annotated(node, ago(hours=25), boot=BOOT)


@pytest.mark.parametrize(
    ("change", "decision"),
    [
        (_set_aside, "waits"),
        (_not_ready, "waits"),
        (_ending, "waits"),
        (_drains_long, "repaired"),
        (_ended_by_others, "repaired"),
        (_did_not_boot, "waits"),
        (_did_not_come_back, "waits"),
        (_did_not_boot_yesterday, "repaired"),
    ],
)
def test_others_wait_for_a_node_that_is_repaired_and_of_its_pool_for_one_that_is_not_back(
    cluster: Cluster, change: Any, decision: str
) -> None:
    change(cluster.add_broken("gpu-1"))
    cluster.add_broken("gpu-2")
    assert decisions(repaired(cluster))["gpu-2"] == decision
    assert bool(cluster.changes) == (decision == "repaired")


def test_a_node_that_did_not_boot_is_left_to_a_person_who_is_told_so(cluster: Cluster) -> None:
    _did_not_boot(cluster.add_broken("gpu-1"))
    (outcome,) = repaired(cluster)
    assert outcome.decision == "needs-a-person"
    assert outcome.reason.endswith(" already, and has not booted since")


def test_of_a_pool_so_many_nodes_are_repaired_within_a_day_those_that_are_well_again_included(
    cluster: Cluster,
) -> None:
    for name in ("gpu-1", "gpu-2"):
        annotated(well(cluster.add_broken(name)), ago(hours=5))
    cluster.add_broken("gpu-3")
    assert decisions(repaired(cluster, most=2)) == {"gpu-3": "waits"}
    assert decisions(repaired(cluster, most=3)) == {"gpu-3": "repaired"}


@pytest.mark.parametrize(
    ("path", "status", "decision", "changes"),
    [
        ("/api/v1/nodes/gpu-1", 409, "waits", 0),
        ("/api/v1/nodes/gpu-1", 403, "failed", 0),
        (PODS, 403, "failed", 1),
    ],
    ids=["changed meanwhile", "refused", "annotated, but not rebooted"],
)
def test_what_is_refused_concerns_one_node_and_is_not_tried_without_the_annotation(
    cluster: Cluster, path: str, status: int, decision: str, changes: int
) -> None:
    cluster.add_broken("gpu-1")
    cluster.refusals[path] = status
    assert decisions(repaired(cluster)) == {"gpu-1": decision}
    assert len(cluster.changes) == changes


def test_a_node_that_has_changed_meanwhile_holds_up_no_other(cluster: Cluster) -> None:
    for name in ("gpu-1", "gpu-2"):
        cluster.add_broken(name)
    cluster.refusals["/api/v1/nodes/gpu-1"] = 409
    assert decisions(repaired(cluster)) == {"gpu-1": "waits", "gpu-2": "repaired"}


@pytest.mark.parametrize(("reason", "again"), [("NvidiaXID95Error", True), ("other", False)])
def test_what_was_told_is_told_again_only_if_it_differs(
    cluster: Cluster, reason: str, again: bool
) -> None:
    for each in ("NvidiaXID95Error", reason):
        node = cluster.add_broken("gpu-1", each)
        repaired(cluster, RepairAction.OBSERVE)
        cluster.nodes.remove(node)
    first, second = (each["metadata"]["name"] for each in cluster.events)
    assert (first == second, first.startswith("gpuplane-repair.uid-gpu-1.")) == (again, True)


def test_an_event_that_exists_has_told_it(cluster: Cluster) -> None:
    cluster.add_broken("gpu-1")
    cluster.refusals["/api/v1/namespaces/default/events"] = 409
    (outcome,) = repaired(cluster)
    assert (outcome.decision, outcome.reason) == ("repaired", "")


def test_what_is_done_is_done_even_where_no_event_says_so(cluster: Cluster) -> None:
    cluster.add_broken("gpu-1")
    cluster.refusals["/api/v1/namespaces/default/events"] = 403
    (outcome,) = repaired(cluster)
    assert (outcome.decision, outcome.reason.startswith("without an Event")) == ("repaired", True)


def test_a_node_whose_kubelet_is_away_is_replaced_and_not_rebooted(cluster: Cluster) -> None:
    cluster.add_broken("gpu-1")["status"]["conditions"][0]["status"] = "Unknown"
    assert decisions(repaired(cluster)) == {"gpu-1": "needs-a-person"}
    assert decisions(repaired(cluster, remedy=Remedy.REPLACE)) == {"gpu-1": "repaired"}


def test_without_a_node_claim_nothing_replaces_a_node(cluster: Cluster) -> None:
    del cluster.add_broken("gpu-1")["metadata"]["ownerReferences"]
    (outcome,) = repaired(cluster, remedy=Remedy.REPLACE)
    assert (outcome.decision, outcome.reason) == ("needs-a-person", "no NodeClaim owns it")


def test_pods_that_rebooted_a_node_are_deleted_after_a_day(cluster: Cluster) -> None:
    for name, hours in (("old", 25), ("young", 23)):
        times = {"creationTimestamp": ago(hours=hours), "namespace": "gpuplane-reboot"}
        cluster.add_pod("gpu-1", name, **times)
    repaired(cluster)
    assert cluster.changes == [("DELETE", f"{PODS}/old", {"preconditions": {"uid": "uid-old"}})]


@pytest.mark.parametrize("status", [404, 409])
def test_a_pod_that_another_round_deletes_holds_nothing_up(cluster: Cluster, status: int) -> None:
    cluster.add_broken("gpu-1")
    times = {"creationTimestamp": ago(hours=25), "namespace": "gpuplane-reboot"}
    cluster.add_pod("gpu-2", "old", **times)
    cluster.refusals[f"{PODS}/old"] = status
    assert decisions(repaired(cluster)) == {"gpu-1": "repaired"}
