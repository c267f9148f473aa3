"""One round: what ends, what would, and what stays."""

from typing import Any

import pytest

from culling.cull import Outcome, cull
from culling.owner import Owners
from culling.settings import Action, Settings
from rounds.servers import ApiServer, ApiServerError, Prometheus, PrometheusError
from tests.culling.cluster import (
    NAMESPACE,
    QUERIES,
    ApiServerOf,
    Cluster,
    PrometheusOf,
    apps_path,
    pod_path,
    reference_to,
)

NOTEBOOK = f"/apis/kubeflow.org/v1/namespaces/{NAMESPACE}/notebooks/lab"
DEPLOYMENT, REPLICA_SET = apps_path("deployments", "chat"), apps_path("replicasets", "chat-5f")
STATEFUL_SET = apps_path("statefulsets", "lab")


@pytest.fixture
def cluster() -> Cluster:
    """A cluster of 100 GPUs in which nothing runs."""
    empty = Cluster()
    empty.tell("capacity", 100)
    return empty


def culled(
    cluster: Cluster, action: Action = Action.END, namespaces: tuple[str, ...] = (NAMESPACE,)
) -> list[Outcome]:
    settings = Settings("http://prometheus:9090", namespaces, action, 25, QUERIES)
    prometheus = Prometheus(PrometheusOf("", cluster=cluster))
    return list(cull(settings, prometheus, ApiServer(ApiServerOf("", cluster=cluster))))


def decisions(outcomes: list[Outcome]) -> dict[str, str]:
    return {each.workload.owner.name: each.decision.value for each in outcomes}


def deploy(cluster: Cluster) -> None:
    cluster.add(DEPLOYMENT, "Deployment", replicas=2)
    cluster.add(REPLICA_SET, "ReplicaSet", owner=DEPLOYMENT, replicas=2)


def test_a_pod_is_evicted_itself_and_not_one_of_its_name(cluster: Cluster) -> None:
    cluster.add_pod("debug")
    assert decisions(culled(cluster)) == {"debug": "ended"}
    ((method, path, body),) = cluster.changes
    assert (method, path) == ("POST", f"{pod_path('debug')}/eviction")
    assert body["deleteOptions"] == {"preconditions": {"uid": "uid-pods/debug"}}


def test_what_scales_is_scaled_once_and_says_what_it_was(cluster: Cluster) -> None:
    deploy(cluster)
    for name in ("chat-5f-a", "chat-5f-b"):
        cluster.add_pod(name, owner=REPLICA_SET)
    assert decisions(culled(cluster)) == {"chat": "ended"}
    annotations = {"gpuplane.io/replicas-before-idle": "2"}
    metadata = {"resourceVersion": "7", "annotations": annotations}
    change = {"metadata": metadata, "spec": {"replicas": 0}}
    assert cluster.changes == [("PATCH", DEPLOYMENT, change)]


def test_a_notebook_is_stopped_as_kubeflow_stops_it(cluster: Cluster) -> None:
    cluster.add(NOTEBOOK, "Notebook")
    cluster.add(STATEFUL_SET, "StatefulSet", owner=NOTEBOOK, replicas=1)
    cluster.add_pod("lab-0", owner=STATEFUL_SET)
    assert decisions(culled(cluster)) == {"lab": "ended"}
    ((_, path, body),) = cluster.changes
    assert (path, [*body["metadata"]["annotations"]]) == (NOTEBOOK, ["kubeflow-resource-stopped"])


def test_a_job_of_a_cron_job_ends_and_the_cron_job_stays(cluster: Cluster) -> None:
    job = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs/nightly-1"
    maker = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "n", "uid": "u"}}
    document = cluster.add(job, "Job")
    document["metadata"]["ownerReferences"] = [reference_to(maker)]
    cluster.add_pod("nightly-1-x", owner=job)
    assert decisions(culled(cluster)) == {"nightly-1": "ended"}
    assert [path for _, path, _ in cluster.changes] == [f"{pod_path('nightly-1-x')}/eviction"]


def test_the_workers_of_a_group_end_with_their_leader(cluster: Cluster) -> None:
    group = f"/apis/leaderworkerset.x-k8s.io/v1/namespaces/{NAMESPACE}/leaderworkersets/llm"
    workers = apps_path("statefulsets", "llm-0")
    cluster.add(group, "LeaderWorkerSet", replicas=1)
    cluster.add(apps_path("statefulsets", "llm"), "StatefulSet", owner=group, replicas=1)
    cluster.add_pod("llm-0", owner=apps_path("statefulsets", "llm"))
    cluster.add(workers, "StatefulSet", owner=pod_path("llm-0"), replicas=1)
    cluster.add_pod("llm-0-1", owner=workers)
    assert decisions(culled(cluster)) == {"llm": "ended"}
    assert [path for _, path, _ in cluster.changes] == [group]


def test_what_another_kind_made_is_left_alone(cluster: Cluster) -> None:
    pod = cluster.add_pod("worker-0")
    made_by = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"}
    job = {**made_by, "metadata": {"name": "pretrain", "uid": "u"}}
    pod["metadata"]["ownerReferences"] = [reference_to(job)]
    assert decisions(culled(cluster)) == {"pretrain": "left-alone"}
    assert cluster.changes == []


@pytest.mark.parametrize(
    "change",
    [
        {"uid": "of-another"},
        {"name": "gone"},
        {"name": "../pods"},
        {"name": "a" * 254},
        {"apiVersion": "apps/v1?x"},
    ],
)
def test_a_reference_that_leads_nowhere_concerns_its_own_pod_alone(
    cluster: Cluster, change: dict[str, str]
) -> None:
    deploy(cluster)
    pod = cluster.add_pod("forged")
    reference = reference_to(cluster.objects[DEPLOYMENT])
    pod["metadata"]["ownerReferences"] = [{**reference, "uid": "u", **change}]
    cluster.add_pod("debug")
    assert sorted(decisions(culled(cluster)).values()) == ["ended", "left-alone"]
    assert [path for _, path, _ in cluster.changes] == [f"{pod_path('debug')}/eviction"]


def test_what_a_reference_says_is_kept_as_far_as_a_name_reaches(cluster: Cluster) -> None:
    pod = cluster.add_pod("forged")
    made_by = {"apiVersion": "example.com/v1", "kind": "Large"}
    large = {**made_by, "metadata": {"name": "a" * 1000, "uid": "u" * 1000}}
    pod["metadata"]["ownerReferences"] = [reference_to(large)]
    (outcome,) = culled(cluster)
    owner = outcome.workload.owner
    assert (outcome.decision, len(owner.name), len(owner.uid)) == ("left-alone", 254, 254)


def test_of_an_owner_is_kept_what_is_asked_of_it(cluster: Cluster) -> None:
    deploy(cluster)
    cluster.objects[REPLICA_SET]["metadata"]["annotations"] = {"large": "a" * 1000}
    owners = Owners(ApiServer(ApiServerOf("", cluster=cluster)))
    owners.of(cluster.add_pod("chat-5f-a", owner=REPLICA_SET))
    assert "a" * 1000 not in repr(owners._read)  # noqa: SLF001 # nothing else tells of it


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"idle": 0}, "uses a GPU"),
        ({"idle": 1, "held": 2}, "uses a GPU"),
        ({"created": "2027-01-15T06:31:00Z"}, "is younger"),
        ({"node": None}, "waits for a node"),
    ],
    ids=["used", "used in part", "young", "without a node"],
)
def test_a_workload_stays_while_one_pod_of_it_may_work(
    cluster: Cluster, changed: dict[str, Any], reason: str
) -> None:
    deploy(cluster)
    cluster.add_pod("chat-5f-a", owner=REPLICA_SET)
    use = {key: changed[key] for key in ("idle", "held") if key in changed}
    pod = cluster.add_pod("chat-5f-b", owner=REPLICA_SET, **use)
    if "created" in changed:
        pod["metadata"]["creationTimestamp"] = changed["created"]
    if "node" in changed:
        del pod["spec"]["nodeName"]
    (outcome,) = culled(cluster)
    assert (outcome.decision, reason in outcome.reason) == ("in-use", True)
    assert cluster.changes == []


def test_pods_that_are_over_or_end_anyway_do_not_count(cluster: Cluster) -> None:
    cluster.add_pod("ending")["metadata"]["deletionTimestamp"] = "2027-01-15T07:59:59Z"
    cluster.add_pod("over")["status"] = {"phase": "Succeeded"}
    assert culled(cluster) == []


def test_other_namespaces_are_not_looked_at(cluster: Cluster) -> None:
    cluster.add_pod("debug")
    assert culled(cluster, namespaces=("serving",)) == []


@pytest.mark.parametrize(("held", "decision"), [(25, "ended"), (25.5, "too-many")])
def test_more_than_may_go_at_once_stays_altogether(
    cluster: Cluster, held: float, decision: str
) -> None:
    cluster.add_pod("large", held=held - 1)
    cluster.add_pod("small", held=1)
    assert decisions(culled(cluster)) == {"large": decision, "small": decision}
    assert len(cluster.changes) == (2 if decision == "ended" else 0)


def test_to_observe_changes_nothing_and_tells_who_asks_for_the_owner(cluster: Cluster) -> None:
    deploy(cluster)
    cluster.add_pod("chat-5f-a", owner=REPLICA_SET)
    assert decisions(culled(cluster, Action.OBSERVE)) == {"chat": "would-end"}
    assert cluster.changes == []
    (event,) = cluster.events
    assert (event["involvedObject"]["kind"], event["reason"]) == ("Deployment", "GpuIdle")
    assert event["message"].endswith("it would end if culling did not only observe.")


@pytest.mark.parametrize(("status", "decision"), [(429, "blocked"), (403, "failed")])
def test_a_refusal_concerns_one_workload_alone(
    cluster: Cluster, status: int, decision: str
) -> None:
    for name in ("debug", "protected"):
        cluster.add_pod(name)
    cluster.refusals[f"{pod_path('protected')}/eviction"] = status
    assert decisions(culled(cluster)) == {"debug": "ended", "protected": decision}


def test_what_ended_has_ended_even_where_no_event_says_so(cluster: Cluster) -> None:
    cluster.add_pod("debug")
    cluster.refusals[f"/api/v1/namespaces/{NAMESPACE}/events"] = 403
    (outcome,) = culled(cluster)
    assert (outcome.decision, "without an Event" in outcome.reason) == ("ended", True)


def test_nothing_ends_where_it_is_not_known_who_made_a_pod(cluster: Cluster) -> None:
    deploy(cluster)
    cluster.add_pod("chat-5f-a", owner=REPLICA_SET)
    cluster.add_pod("debug")
    cluster.refusals[REPLICA_SET] = 503
    with pytest.raises(ApiServerError, match="503"):
        culled(cluster)
    assert cluster.changes == []


def test_nothing_ends_in_a_cluster_of_unknown_size(cluster: Cluster) -> None:
    cluster.add_pod("debug")
    cluster.vectors["capacity"] = []
    with pytest.raises(PrometheusError, match="how many GPUs"):
        culled(cluster)
    assert cluster.changes == []
