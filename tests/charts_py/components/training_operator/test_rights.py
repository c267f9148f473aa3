"""What the training operator may do, where it runs MPIJobs and where it does not."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from charts_py.components.training_operator.definition import operator_documents
from charts_py.components.training_operator.rights import TRAINING_OPERATOR_ACCESS
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

OF_MPI_JOBS = {
    "training-operator": {
        "configmaps": "get list watch",
        "mpijobs": "get list watch",
        "rolebindings": "get list watch",
        "roles": "get list watch",
        "serviceaccounts": "get list watch",
    },
    "training-operator-jobs": {
        "configmaps": "create update",
        "mpijobs": "delete",
        "mpijobs/finalizers": "update",
        "mpijobs/status": "update",
        "pods/exec": "create",
        "rolebindings": "create",
        "roles": "create update",
        "serviceaccounts": "create",
    },
}
ALWAYS = {
    "training-operator": {
        "horizontalpodautoscalers": "get list watch",
        "pods": "get list watch",
        "pytorchjobs": "get list watch",
        "services": "get list watch",
        "tfjobs": "get list watch",
        "validatingwebhookconfigurations": "get list update watch",
        "xgboostjobs": "get list watch",
    },
    "training-operator-jobs": {
        "events": "create patch",
        "horizontalpodautoscalers": "create delete update",
        "pods": "create delete patch",
        "pytorchjobs": "delete",
        "pytorchjobs/finalizers": "update",
        "pytorchjobs/status": "update",
        "services": "create delete",
        "tfjobs": "delete",
        "tfjobs/finalizers": "update",
        "tfjobs/status": "update",
        "xgboostjobs": "delete",
        "xgboostjobs/finalizers": "update",
        "xgboostjobs/status": "update",
    },
}


@pytest.mark.parametrize(
    ("written", "added"), [("{}", {name: {} for name in ALWAYS}), ("{mpiJobs: true}", OF_MPI_JOBS)]
)
def test_it_has_the_rights_of_the_jobs_that_it_runs(
    platform_after: PlatformWith, written: str, added: Mapping[str, Mapping[str, str]]
) -> None:
    platform = platform_after("operators", ("{mpiJobs: true}", written))
    found = {
        each["metadata"]["name"]: _verbs(each["rules"])
        for each in _of_kind(operator_documents(platform), "ClusterRole")
    }
    assert found == {name: {**rules, **added[name]} for name, rules in ALWAYS.items()}


def test_what_it_writes_is_in_the_namespaces_of_teams(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    platform = platform_after("operators")
    (everywhere,) = _of_kind(operator_documents(platform), "ClusterRoleBinding")
    (access,) = TRAINING_OPERATOR_ACCESS.plan(platform)
    (binding,) = documents_of_component(access)
    assert everywhere["roleRef"]["name"] == "training-operator"
    assert binding["metadata"]["namespace"] == "research-training"
    assert (binding["kind"], binding["roleRef"]["name"]) == (
        "RoleBinding",
        "training-operator-jobs",
    )
    assert binding["subjects"] == everywhere["subjects"]


def test_it_writes_one_secret_and_one_configuration(platform_after: PlatformWith) -> None:
    platform = platform_after("operators")
    roles = [each for kind in ("ClusterRole", "Role") for each in _roles(platform, kind)]
    named = [rule for role in roles for rule in role["rules"] if rule.get("resourceNames")]
    assert [(rule["resources"], rule["verbs"], rule["resourceNames"]) for rule in named] == [
        (
            ["validatingwebhookconfigurations"],
            ["get", "update"],
            ["validator.training-operator.kubeflow.org"],
        ),
        (["secrets"], ["get", "update"], ["training-operator-webhook-cert"]),
    ]


def _roles(platform: Platform, kind: str) -> list[Document]:
    return _of_kind(operator_documents(platform), kind)


def _of_kind(documents: Iterable[Document], kind: str) -> list[Document]:
    return [each for each in documents if each["kind"] == kind]


def _verbs(rules: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the verbs of each resource, in order; no two of them differ by their group alone."""
    found: dict[str, set[str]] = {}
    for rule in rules:
        for resource in rule["resources"]:
            found.setdefault(resource, set()).update(rule["verbs"])
    return {resource: " ".join(sorted(verbs)) for resource, verbs in found.items()}
