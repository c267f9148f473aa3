"""The roles of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from charts_py.components.gpu_roles import construct as gpu_roles
from charts_py.components.gpu_roles.definition import GPU_ROLES
from charts_py.spec.kubernetes_version import KubernetesVersion

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

Grants: TypeAlias = dict[str, set[tuple[str, str, str]]]
"""By role: API group, resource, verb."""

WRITES = {"create", "update", "patch", "delete", "deletecollection"}


@pytest.fixture
def grants(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> Callable[[KubernetesVersion], Grants]:
    def read(version: KubernetesVersion) -> Grants:
        props = gpu_roles.GpuRolesProps(version)
        documents = documents_of(lambda scope: gpu_roles.GpuRoles(scope, "roles", props))
        return {
            document["metadata"]["name"]: {
                (group, resource, verb)
                for rule in document["rules"]
                for group in rule["apiGroups"]
                for resource in rule["resources"]
                for verb in rule["verbs"]
            }
            for document in documents
        }

    return read


@pytest.fixture
def newest(grants: Callable[[KubernetesVersion], Grants]) -> Grants:
    return grants(KubernetesVersion.V1_36)


def written(role: set[tuple[str, str, str]]) -> set[str]:
    return {f"{resource}.{group}" for group, resource, verb in role if verb in WRITES}


def test_there_are_three_roles(newest: Grants) -> None:
    assert sorted(newest) == ["gpu-admin", "gpu-user", "gpu-viewer"]


@pytest.mark.parametrize("version", KubernetesVersion)
def test_no_rule_has_a_wildcard(
    grants: Callable[[KubernetesVersion], Grants], version: KubernetesVersion
) -> None:
    words = {word for role in grants(version).values() for grant in role for word in grant}
    assert {word for word in words if "*" in word} == set()


def test_no_role_has_a_verb_that_gains_the_rights_of_others(newest: Grants) -> None:
    verbs = {verb for role in newest.values() for _, _, verb in role}
    assert verbs == {"get", "list", "watch", *WRITES}


def test_a_viewer_only_reads(newest: Grants) -> None:
    assert written(newest["gpu-viewer"]) == set()


def test_a_viewer_reads_neither_secrets_nor_through_a_running_container(newest: Grants) -> None:
    read = {resource for _, resource, _ in newest["gpu-viewer"]}
    assert read & {"secrets", "pods/exec", "pods/attach", "pods/portforward"} == set()


def test_a_viewer_reads_what_a_user_runs_and_what_bounds_it(newest: Grants) -> None:
    read = {
        f"{resource}.{group}" for group, resource, verb in newest["gpu-viewer"] if verb == "get"
    }
    assert read == {
        "configmaps.",
        "cronjobs.batch",
        "deployments.apps",
        "endpointslices.discovery.k8s.io",
        "events.",
        "events.events.k8s.io",
        "horizontalpodautoscalers.autoscaling",
        "jobs.batch",
        "jobsets.jobset.x-k8s.io",
        "leaderworkersets.leaderworkerset.x-k8s.io",
        "limitranges.",
        "mpijobs.kubeflow.org",
        "networkpolicies.networking.k8s.io",
        "persistentvolumeclaims.",
        "poddisruptionbudgets.policy",
        "pods.",
        "pods.metrics.k8s.io",
        "pods/log.",
        "pytorchjobs.kubeflow.org",
        "rayclusters.ray.io",
        "rayjobs.ray.io",
        "rayservices.ray.io",
        "replicasets.apps",
        "resourceclaims.resource.k8s.io",
        "resourceclaimtemplates.resource.k8s.io",
        "resourcequotas.",
        "services.",
        "statefulsets.apps",
        "trainingruntimes.trainer.kubeflow.org",
        "trainjobs.trainer.kubeflow.org",
    }


def test_a_user_runs_workloads_and_writes_nothing_that_bounds_them(newest: Grants) -> None:
    assert written(newest["gpu-user"]) == {
        "configmaps.",
        "cronjobs.batch",
        "deployments.apps",
        "deployments/scale.apps",
        "horizontalpodautoscalers.autoscaling",
        "jobs.batch",
        "jobsets.jobset.x-k8s.io",
        "leaderworkersets.leaderworkerset.x-k8s.io",
        "leaderworkersets/scale.leaderworkerset.x-k8s.io",
        "mpijobs.kubeflow.org",
        "persistentvolumeclaims.",
        "pods.",
        "pods/attach.",
        "pods/exec.",
        "pods/portforward.",
        "pytorchjobs.kubeflow.org",
        "rayclusters.ray.io",
        "rayjobs.ray.io",
        "rayservices.ray.io",
        "resourceclaims.resource.k8s.io",
        "resourceclaimtemplates.resource.k8s.io",
        "services.",
        "statefulsets.apps",
        "statefulsets/scale.apps",
        "trainjobs.trainer.kubeflow.org",
    }


def test_an_admin_also_writes_secrets_service_accounts_and_disruption_budgets(
    newest: Grants,
) -> None:
    assert written(newest["gpu-admin"]) - written(newest["gpu-user"]) == {
        "poddisruptionbudgets.policy",
        "secrets.",
        "serviceaccounts.",
    }


def test_only_an_admin_deletes_many_at_once(newest: Grants) -> None:
    roles = {
        name for name, role in newest.items() for *_, verb in role if verb == "deletecollection"
    }
    assert roles == {"gpu-admin"}


def test_each_role_has_all_that_the_lesser_one_has(newest: Grants) -> None:
    assert newest["gpu-viewer"] < newest["gpu-user"] < newest["gpu-admin"]


def test_claims_are_spoken_of_from_kubernetes_1_34(
    grants: Callable[[KubernetesVersion], Grants],
) -> None:
    versions = [
        version.value
        for version in KubernetesVersion
        if "resource.k8s.io" in {group for group, *_ in grants(version)["gpu-user"]}
    ]
    assert versions == ["1.34", "1.35", "1.36"]


def test_the_component_comes_before_the_teams(example: Callable[[str], Platform]) -> None:
    (component,) = GPU_ROLES.plan(example("training"))
    assert (component.name, component.wave.name) == ("gpu-roles", "CLASSES")
