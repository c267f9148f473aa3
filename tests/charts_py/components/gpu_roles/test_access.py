"""What the roles let a team do."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from charts_py.components.gpu_roles.access import team_access
from charts_py.components.gpu_roles.rules import cluster_roles
from charts_py.spec.kubernetes_version import KubernetesVersion

Grants: TypeAlias = dict[str, set[tuple[str, str, str]]]
"""By role: API group, resource, verb."""

WRITES = {"create", "update", "patch", "delete", "deletecollection"}


def grants_on(version: KubernetesVersion) -> Grants:
    return {
        role["metadata"]["name"]: {
            (group, resource, verb)
            for rule in role["rules"]
            for group in rule["apiGroups"]
            for resource in rule["resources"]
            for verb in rule["verbs"]
        }
        for role in cluster_roles(team_access(version))
    }


@pytest.fixture
def newest() -> Grants:
    return grants_on(KubernetesVersion.V1_36)


def written(role: set[tuple[str, str, str]]) -> set[str]:
    return {f"{resource}.{group}" for group, resource, verb in role if verb in WRITES}


def test_there_are_three_roles(newest: Grants) -> None:
    assert sorted(newest) == ["gpu-admin", "gpu-user", "gpu-viewer"]


@pytest.mark.parametrize("version", KubernetesVersion)
def test_no_rule_has_a_wildcard(version: KubernetesVersion) -> None:
    words = {word for role in grants_on(version).values() for grant in role for word in grant}
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


def test_claims_are_spoken_of_from_kubernetes_1_34() -> None:
    versions = [
        version.value
        for version in KubernetesVersion
        if "resource.k8s.io" in {group for group, *_ in grants_on(version)["gpu-user"]}
    ]
    assert versions == ["1.34", "1.35", "1.36"]
