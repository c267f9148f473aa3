"""How KAI is configured."""

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
