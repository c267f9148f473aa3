"""What a component adds to what is not its own, through each of the hooks of its definition."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import structs

from charts_py.components.definition import Definition
from charts_py.components.registry import (
    DEFINITIONS,
    component_namespaces,
    contribution_of,
    watched_of,
)
from charts_py.constructs.render import render
from charts_py.objects.document import Document, key_of
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import (
    Access,
    Contribution,
    PlatformNamespace,
    TeamAdditions,
    Use,
)
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from charts_py.rendering.rendering import Rendering
from gpus.taint import Taint
from policies.settings import PodSecurity
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import managed

GROUP = "queues.example.com"
CONTROLLER = object_of("v1", "ServiceAccount", ObjectMeta("controller", "queue-system"), {})
READ = ["get", "list", "watch"]
WRITE = [*READ, "create", "update", "patch", "delete"]
ALL = [*WRITE, "deletecollection"]
CALLERS = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"from": []}]}


def _queue(namespace: TeamNamespace) -> Document:
    spec = {"owner": namespace.team_name}
    return object_of(f"{GROUP}/v1", "Queue", ObjectMeta("queue", namespace.name), {"spec": spec})


SAMPLE = Definition(
    name="queue",
    description="A queue that each team has.",
    appears="where there is a team",
    wave=Wave.OPERATORS,
    namespace="queue-system",
    contribution=Contribution(
        namespaces=(
            PlatformNamespace("queue-system", PodSecurity.BASELINE, confirmed_removal=True),
        ),
        reserved_priority_classes=("queue-critical",),
        exempt_service_accounts=("other-system/queue-launcher",),
        access=(
            Access(GROUP, ("jobs",), Use.RUN),
            Access(GROUP, ("jobs/status", "queues"), Use.READ),
            Access(GROUP, ("tokens",), Use.ADMINISTER),
        ),
    ),
    objects=lambda _: (CONTROLLER,),
    scraped=lambda _: (ScrapeTarget("queue", "queue-system", {"app": "queue"}, port="metrics"),),
    contributes=lambda platform: Contribution(
        teams={
            each.name: {
                "queue": TeamAdditions(
                    objects=(_queue(each),),
                    quota={f"count/jobs.{GROUP}": "8"},
                    network_policies={"allow-queue": CALLERS},
                )
            }
            for each in platform.namespaces
        }
    ),
)
"""A definition that uses every hook."""


def completed(platform: Platform, *definitions: Definition) -> Platform:
    return replace(
        platform,
        reserved_namespaces=platform.reserved_namespaces | component_namespaces(definitions),
        contribute=lambda each: contribution_of(each, definitions),
        watch=lambda each: watched_of(each, definitions),
    )


@pytest.fixture(scope="module")
def without(example: Load) -> Platform:
    return example("training")


@pytest.fixture(scope="module")
def with_it(without: Platform) -> Platform:
    return completed(without, *DEFINITIONS, SAMPLE)


@pytest.fixture(scope="module")
def before(without: Platform) -> Rendering:
    return render(without)


@pytest.fixture(scope="module")
def after(with_it: Platform) -> Rendering:
    return render(with_it, definitions=(*DEFINITIONS, SAMPLE))


@pytest.fixture(scope="module")
def landed(before: Rendering, after: Rendering) -> dict[str, dict[str, Document]]:
    """Return the objects that are there, or as they are, through the component, by folder."""
    return {name: found for name in after.folders if (found := dict(_new(name, before, after)))}


def _new(folder: str, before: Rendering, after: Rendering) -> Iterator[tuple[str, Document]]:
    old = before.folders.get(folder, ())
    yield from ((str(key_of(d)), d) for d in after.folders[folder] if d not in old)


def test_a_component_changes_these_folders_and_no_others(
    landed: dict[str, dict[str, Document]],
) -> None:
    assert sorted(landed) == [
        "admission-policies",
        "argocd",
        "gpu-roles",
        "monitoring",
        "namespaces",
        "queue",
        "team-recommendations",
        "team-research",
        "webhook",
        "webhook-configuration",
    ]


def test_nothing_that_was_there_is_lost(before: Rendering, after: Rendering) -> None:
    keys = {key_of(document) for each in before.folders.values() for document in each}
    assert keys <= {key_of(document) for each in after.folders.values() for document in each}


def test_its_namespace_is_made_at_its_level(landed: dict[str, dict[str, Document]]) -> None:
    level = "pod-security.kubernetes.io"
    assert landed["namespaces"] == {
        "Namespace queue-system": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {
                "name": "queue-system",
                "labels": {
                    "app.kubernetes.io/managed-by": "gpuplane",
                    f"{level}/audit": "baseline",
                    f"{level}/audit-version": "v1.35",
                    f"{level}/enforce": "baseline",
                    f"{level}/enforce-version": "v1.35",
                    f"{level}/warn": "baseline",
                    f"{level}/warn-version": "v1.35",
                },
                "annotations": {"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"},
            },
        }
    }


def test_no_team_can_have_its_namespace(without: Platform, with_it: Platform) -> None:
    assert with_it.reserved_namespaces - without.reserved_namespaces == {"queue-system"}


def test_admission_knows_its_namespace_service_account_and_priority_class(
    without: Platform, with_it: Platform
) -> None:
    settings = policy_settings(without)
    assert policy_settings(with_it) == structs.replace(
        settings,
        exempt_namespaces=tuple(sorted((*settings.exempt_namespaces, "queue-system"))),
        exempt_service_accounts=(*settings.exempt_service_accounts, "other-system/queue-launcher"),
        reserved_priority_classes=(*settings.reserved_priority_classes, "queue-critical"),
    )


@pytest.mark.parametrize(
    ("role", "rules"),
    [
        ("gpu-admin", [(["jobs"], ALL), (["jobs/status", "queues"], READ), (["tokens"], ALL)]),
        ("gpu-user", [(["jobs"], WRITE), (["jobs/status", "queues"], READ)]),
        ("gpu-viewer", [(["jobs"], READ), (["jobs/status", "queues"], READ)]),
    ],
)
def test_each_role_of_a_team_has_its_rights(
    before: Rendering, after: Rendering, role: str, rules: list[tuple[list[str], list[str]]]
) -> None:
    had, has = (
        next(each for each in rendering.folders["gpu-roles"] if each["metadata"]["name"] == role)
        for rendering in (before, after)
    )
    added = [
        {"apiGroups": [GROUP], "resources": resources, "verbs": verbs} for resources, verbs in rules
    ]
    assert [rule for rule in has["rules"] if rule not in had["rules"]] == added
    assert {**has, "rules": [rule for rule in has["rules"] if rule not in added]} == had


def test_each_namespace_of_a_team_has_what_it_adds(
    before: Rendering, landed: dict[str, dict[str, Document]]
) -> None:
    name = "recommendations"
    (quota,) = (
        document
        for document in before.folders["team-recommendations"]
        if str(key_of(document)) == f"ResourceQuota {name}/quota"
    )
    bounds = {**quota["spec"]["hard"], f"count/jobs.{GROUP}": "8"}
    assert landed["team-recommendations"] == {
        f"ResourceQuota {name}/quota": {**quota, "spec": {"hard": bounds}},
        f"NetworkPolicy {name}/allow-queue": {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": managed("allow-queue", name),
            "spec": CALLERS,
        },
        f"Queue {name}/queue": {
            "apiVersion": f"{GROUP}/v1",
            "kind": "Queue",
            "metadata": managed("queue", name),
            "spec": {"owner": "recommendations"},
        },
    }


def test_every_namespace_of_every_team_has_a_queue(
    with_it: Platform, landed: dict[str, dict[str, Document]]
) -> None:
    queues = {key for folder in landed.values() for key in folder if key.startswith("Queue ")}
    assert queues == {f"Queue {each.name}/queue" for each in with_it.namespaces}


def test_its_folder_holds_its_objects_alone(landed: dict[str, dict[str, Document]]) -> None:
    assert landed["queue"] == {"ServiceAccount queue-system/controller": CONTROLLER}


def test_prometheus_scrapes_it(landed: dict[str, dict[str, Document]]) -> None:
    metadata = managed("queue", "queue-system")
    watched = "PrometheusRule kube-system/controller-availability"
    assert "queue-system" in json.dumps(landed["monitoring"].pop(watched)["spec"])
    assert landed["monitoring"] == {
        "ServiceMonitor queue-system/queue": {
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "ServiceMonitor",
            "metadata": {**metadata, "labels": {**metadata["labels"], "app": "queue"}},
            "spec": {
                "selector": {"matchLabels": {"app": "queue"}},
                "endpoints": [
                    {"port": "metrics", "path": "/metrics", "scheme": "http", "interval": "15s"}
                ],
            },
        }
    }


def test_argo_cd_syncs_it_and_may_go_to_its_namespace(
    before: Rendering, after: Rendering, landed: dict[str, dict[str, Document]]
) -> None:
    had, has = (rendering.project["spec"]["destinations"] for rendering in (before, after))
    (added,) = (each for each in has if each not in had)
    assert added == {**had[0], "namespace": "queue-system"}
    assert list(landed["argocd"]) == ["Application argocd/training-queue"]
    assert {**after.project, "spec": {**after.project["spec"], "destinations": had}} == (
        before.project
    )


def test_nodes_start_with_the_taint_that_it_takes_off(without: Platform) -> None:
    taint = Taint("queue.example.com/not-ready", "true", "NoSchedule")
    definitions = (
        *DEFINITIONS,
        replace(
            SAMPLE,
            contributes=lambda platform: Contribution(
                startup_taints={pool.name: (taint,) for pool in platform.pools}
            ),
        ),
    )
    rendering = render(completed(without, *definitions), definitions=definitions)
    # Beside that of the component that the example has.
    started = {
        document["metadata"]["name"]: document["spec"]["template"]["spec"]["startupTaints"][-1:]
        for document in rendering.folders["node-pools"]
        if document["kind"] == "NodePool"
    }
    written = {"key": "queue.example.com/not-ready", "value": "true", "effect": "NoSchedule"}
    assert {pool.name for pool in without.pools} <= set(started)
    assert started == {name: [written] for name in started}
