"""The controllers that are alerted on, held against what charts render."""

from collections.abc import Iterator, Mapping

from charts_py.components.kai_scheduler.definition import KAI_SCHEDULER
from charts_py.components.registry import DEFINITIONS
from charts_py.components.slurm.definition import SLURM_OPERATOR
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

LEFT_TO_THEMSELVES = {
    # They remove what is left of nodes that are gone.
    ("kube-system", "node-feature-discovery-gc"),
    ("gpu-operator", "gpu-operator-node-feature-discovery-gc"),
    ("amd-gpu-operator", "amd-gpu-operator-node-feature-discovery-gc"),
}
NO_DEPLOYMENTS = {KAI_SCHEDULER.name, SLURM_OPERATOR.name}
"""The operator of KAI makes most of its own, and the mirror lacks a part of Slurm's chart."""


def _watched(platform: Platform) -> set[tuple[str, str]]:
    return {(each.namespace, each.deployment) for each in platform.contribution.controllers}


def _installed(platform: Platform, rendered: DocumentsOf) -> Iterator[tuple[str, str]]:
    for definition in DEFINITIONS:
        if definition.charts and definition.name not in NO_DEPLOYMENTS:
            releases = (each for each in definition.plan(platform) if each.helm is not None)
            for component in releases:
                yield from _deployments(rendered(component), component.namespace)


def _deployments(objects: tuple[Document, ...], namespace: str) -> Iterator[tuple[str, str]]:
    for each in objects:
        if each["kind"] == "Deployment":
            yield (each["metadata"].get("namespace", namespace), each["metadata"]["name"])


def test_each_deployment_of_a_chart_is_watched_and_none_besides(
    platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    installed = {each for p in platforms.values() for each in _installed(p, rendered)}
    watched = {each for p in platforms.values() for each in _watched(p)}
    apart = {"kai-scheduler", "slinky", "training-operator", "dra-driver-nvidia-gpu"}
    # agentgateway makes one of a Gateway, and no chart brings the other.
    watched -= {("agentgateway-system", "gateway"), ("mlflow", "mlflow")}
    assert {each for each in watched if each[0] not in apart} == installed - LEFT_TO_THEMSELVES


def test_a_platform_watches_what_it_installs(platform_after: PlatformWith) -> None:
    assert _watched(platform_after("operators")) & {
        ("training-operator", "training-operator"),
        ("jobset-system", "jobset-controller"),
        ("lws-system", "leader-worker-set-lws-controller-manager"),
    } == {
        ("training-operator", "training-operator"),
        ("lws-system", "leader-worker-set-lws-controller-manager"),
    }


def test_kueue_is_watched_by_its_deployment_where_nobody_scrapes_it(
    platform_after: PlatformWith,
) -> None:
    kueue = ("kueue-system", "kueue-controller-manager")
    assert [kueue in _watched(platform_after(name)) for name in ("gke-queued", "queues")] == [
        True,
        False,
    ]


def test_each_part_of_kai_that_gpu_pods_need_is_watched(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    platform = platform_after("kai")
    (component,) = KAI_SCHEDULER.plan(platform)
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
    of_a_job, not_switched_on = "kai-scheduler-crd-manager", "node-scale-adjuster"
    left_out = {of_a_job, not_switched_on, "numa-placement-exporter"}
    assert {name for namespace, name in _watched(platform) if namespace == "kai-scheduler"} == {
        f"kai-scheduler-{shard['metadata']['name']}" if account == "scheduler" else account
        for account in accounts - left_out
    }
