"""How KAI is configured."""

import re
from typing import Any

import pytest

from charts_py.components.kai_scheduler.definition import KAI_SCHEDULER
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith


@pytest.fixture
def objects(platform_after: PlatformWith, rendered: DocumentsOf) -> dict[str, Any]:
    """Return what the chart renders for the sample with queues of KAI, by kind and name."""
    (component,) = KAI_SCHEDULER.plan(platform_after("kai"))
    return {f"{each['kind']} {each['metadata']['name']}": each for each in rendered(component)}


def test_argo_cd_syncs_what_its_operator_reads(objects: dict[str, Any]) -> None:
    config = objects["Config kai-config"]["spec"]
    assert (config["namespace"], config["global"]["replicaCount"]) == ("kai-scheduler", 2)
    jobs = {name for name, each in objects.items() if each["kind"] == "Job"}
    assert jobs == {"Job crd-upgrader"}


def test_no_job_is_evicted_to_bring_together_what_is_free(objects: dict[str, Any]) -> None:
    assert objects["SchedulingShard default"]["spec"]["actions"] == {
        "consolidation": {"enabled": False}
    }


def test_classes_and_queues_are_those_of_the_cluster_file(objects: dict[str, Any]) -> None:
    kinds = {each["kind"] for each in objects.values()}
    assert kinds & {"PriorityClass", "Queue", "Namespace"} == set()


def test_nobody_shares_a_gpu_past_the_queues(objects: dict[str, Any]) -> None:
    config = objects["Config kai-config"]["spec"]
    assert config["admission"]["service"]["enabled"] is True
    assert config["admission"]["gpuSharing"] is False


LEFT_TO_THEMSELVES = {
    "kai-operator",
    # Takes changes of queues, which wait meanwhile.
    "queue-controller",
    # Of a Job.
    "kai-scheduler-crd-manager",
    # Not switched on.
    "node-scale-adjuster",
    "numa-placement-exporter",
}


def test_each_part_that_gpu_pods_need_is_watched(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    (component,) = KAI_SCHEDULER.plan(platform_after("kai"))
    objects = rendered(component)
    (shard,) = (each for each in objects if each["kind"] == "SchedulingShard")
    # The operator names a Deployment as the account that the chart lets do its part, but that of
    # the scheduler, of which each shard has one.
    accounts = {
        subject["name"]
        for each in objects
        if each["kind"] == "ClusterRoleBinding"
        for subject in each["subjects"]
    }
    expressions = [alert.expression for alert in KAI_SCHEDULER.rules.alerts()]
    watched = [re.findall(r'deployment="([^"]+)"', each) for each in expressions]
    assert sorted(name for names in watched for name in names) == sorted(
        f"kai-scheduler-{shard['metadata']['name']}" if account == "scheduler" else account
        for account in accounts - LEFT_TO_THEMSELVES
    )
