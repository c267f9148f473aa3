"""A node whose GPU is broken, or not tested yet, takes no pods, or loses them; daemons stay."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from charts_py.cluster_file.addons import GpuHealth, GpuHealthAction
from charts_py.components.admission_policies.evictions import endless_restarts
from charts_py.components.admission_policy import Policy, policy_objects
from charts_py.components.gpu_burn_in.definition import BURN_IN_NAME, burn_in_documents
from charts_py.components.gpu_health import quarantine_rules
from charts_py.objects.document import Document
from charts_py.objects.pods import taint_objects, tolerations_of
from charts_py.platform.platform import Platform
from gpus.platform_names import TEAM
from tests.e2e.claims.cluster import load_claim_cluster
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import definitions_of, install, pinned_files
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import PATIENCE_SECONDS, has_node, is_ending

NAMESPACE = "gpu-health"
GPUS = {"nvidia.com/gpu": 4}


def watched(health: GpuHealth) -> Platform:
    platform = load_claim_cluster("allocators")
    addons = platform.cluster.addons.model_copy(update={"gpu_health": health})
    cluster = platform.cluster.model_copy(update={"addons": addons})
    return replace(platform, cluster=cluster)


@contextmanager
def broken_node(admin: ApiClient, action: GpuHealthAction) -> Iterator[None]:
    """Yield once the node of a running pod and a daemon has the taint of the action."""
    platform = watched(GpuHealth(action=action))
    (node,) = nodes_of(platform, "plugged", 1)
    with joined(admin, node), applied(admin, [namespace(NAMESPACE)]):
        for pod in (worker("running"), daemon(platform)):
            admin.create(pod)
            admin.wait_for(pod, has_node, PATIENCE_SECONDS)
        taints = [*node["spec"]["taints"], *taint_objects(platform.contribution.health_taints)]
        admin.patch(node, {"spec": {"taints": taints}})
        yield


def worker(name: str) -> Document:
    """Return a pod of a team."""
    return gpu_pod(name, NAMESPACE, GPUS)


def daemon(platform: Platform) -> Document:
    """Return a pod with the tolerations of the platform's daemons."""
    pod = gpu_pod("daemon", NAMESPACE, {})
    taints = platform.daemon_taints((platform.pool("plugged"),))
    return {**pod, "spec": {**pod["spec"], "tolerations": tolerations_of(taints)}}


def is_unschedulable(pod: Document) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(each.get("reason") == "Unschedulable" for each in conditions)


def test_a_node_in_quarantine_keeps_its_pods_and_takes_no_others(admin: ApiClient) -> None:
    with broken_node(admin, GpuHealthAction.QUARANTINE):
        waiting = worker("waiting")
        admin.create(waiting)
        told = admin.wait_for(waiting, is_unschedulable, PATIENCE_SECONDS)
        (condition,) = told["status"]["conditions"]
        assert "untolerated taint" in condition["message"]
        there = admin.find("v1", "Pod", NAMESPACE)
        assert [each["metadata"]["name"] for each in there if is_ending(each)] == []


def test_an_evicted_node_loses_its_pods_and_keeps_the_daemons(admin: ApiClient) -> None:
    with broken_node(admin, GpuHealthAction.EVICT):
        admin.wait_for(worker("running"), is_ending, PATIENCE_SECONDS)
        assert not is_ending(admin.get("v1", "Pod", "daemon", NAMESPACE))


def test_a_new_node_takes_daemons_alone_until_its_burn_in_has_passed(admin: ApiClient) -> None:
    platform = watched(GpuHealth.model_validate({"burnIn": {}}))
    (node,) = nodes_of(platform, "plugged", 1)
    own_taints = node["spec"]["taints"]
    new = [*own_taints, *taint_objects(platform.contribution.startup_taints["plugged"])]
    documents = list(burn_in_documents(platform))
    rules = [each for each in documents if each["kind"] == "NodeReadinessRule"]
    install(admin, definitions_of(rules, pinned_files()))
    made = [namespace(BURN_IN_NAME), namespace(NAMESPACE), *documents]
    with joined(admin, node), applied(admin, made):
        admin.patch(node, {"spec": {"taints": new}})
        waiting = worker("waiting")
        admin.create(waiting)
        admin.wait_for(waiting, is_unschedulable, PATIENCE_SECONDS)
        admin.create(daemon(platform))
        admin.wait_for(daemon(platform), has_node, PATIENCE_SECONDS)
        admin.patch(node, {"spec": {"taints": own_taints}})
        admin.wait_for(waiting, has_node, PATIENCE_SECONDS)


def test_a_job_whose_evictions_never_count_is_warned_of(admin: ApiClient) -> None:
    platform = watched(GpuHealth(action=GpuHealthAction.EVICT))
    team = manifest("v1 Namespace", NAMESPACE, metadata={"labels": {TEAM: "research"}})
    pod = {**gpu_pod("pod", NAMESPACE, GPUS)["spec"], "restartPolicy": "Never"}
    disrupted = {"type": "DisruptionTarget", "status": "True"}
    rules = [{"action": "Ignore", "onPodConditions": [disrupted]}]
    spec = {"podFailurePolicy": {"rules": rules}, "template": {"spec": pod}}
    job = manifest("batch/v1 Job", "endless", NAMESPACE, spec=spec)
    policies = list(policy_objects(endless_restarts(platform)))
    with applied(admin, [team, *policies]):
        (said,) = once_seen(lambda: admin.create(job, dryRun="All").warnings, seconds=30)
        own = [each for each in policies if each["kind"] == Policy.kind]
        checked = [admin.wait_for(each, lambda one: "status" in one) for each in own]
    assert "by its podFailurePolicy, evictions never count" in said
    assert [each["status"]["typeChecking"] for each in checked] == [{}, {}]


def test_another_action_is_another_rule_since_a_taint_is_immutable(admin: ApiClient) -> None:
    quarantine = next(quarantine_rules(watched(GpuHealth(action=GpuHealthAction.QUARANTINE))))
    evict = next(quarantine_rules(watched(GpuHealth(action=GpuHealthAction.EVICT))))
    install(admin, definitions_of([quarantine], pinned_files()))
    refused = pytest.raises(ApiError, match="taint effect is immutable")
    with applied(admin, [quarantine, evict]), refused:
        admin.patch(quarantine, {"spec": evict["spec"]})
