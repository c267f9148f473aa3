from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from charts_py.argocd.applications import application_of
from charts_py.argocd.project import permissions_of
from charts_py.components.training_operator.definition import (
    DEFINITIONS,
    KINDS,
    TRAINING_OPERATOR_DEFINITION,
    operator_documents,
)
from charts_py.objects.document import Document, EmittedKind
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.rendering.rendered_charts import manifest_objects
from gpuplane.images import images_of
from tests.charts_py.fixture_types import PlatformWith

PLACES = "ghcr.io: {mirror: m.example.com/g}, docker.io: {mirror: m.example.com/d}"
MIRRORS = ("teams:\n", f"registries: {{{PLACES}}}\nteams:\n")
REFUSED = "admission refuses workers of PyTorchJobs: they wait in "
COMMIT = "4445c12aa62e4345b0c2c6ac9b215a70eca46ed7"


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    """Return the platform of the sample with operators."""
    return platform_after("operators")


@pytest.fixture
def without_mpi_jobs(platform_after: PlatformWith) -> Platform:
    return platform_after("operators", ("{mpiJobs: true}", "{}"))


def _objects(platform: Platform, kind: str) -> list[Document]:
    return [each for each in operator_documents(platform) if each["kind"] == kind]


def test_the_definitions_come_first_from_their_repository_at_a_commit(platform: Platform) -> None:
    definitions, operator = TRAINING_OPERATOR_DEFINITION.plan(platform)
    assert (definitions.wave, operator.wave) == (Wave.OPERATORS, Wave.NODES)
    assert application_of(platform, definitions).spec["source"] == {
        "repoURL": "https://github.com/kubeflow/trainer",
        "path": "manifests/base/crds",
        "targetRevision": COMMIT,
        "directory": {
            "include": "{kubeflow.org_mpijobs.yaml,kubeflow.org_pytorchjobs.yaml,"
            "kubeflow.org_tfjobs.yaml,kubeflow.org_xgboostjobs.yaml}"
        },
    }


def test_the_project_allows_that_repository_and_definitions(platform: Platform) -> None:
    components = tuple(TRAINING_OPERATOR_DEFINITION.plan(platform))
    allowed = permissions_of(components, {}, platform.cluster.gitops)
    assert "https://github.com/kubeflow/trainer" in allowed.repositories
    assert allowed.cluster_kinds == {
        EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False)
    }


def test_the_pinned_definitions_are_of_its_kinds_and_nothing_is_null_in_them(mirror: Path) -> None:
    found = list(manifest_objects(DEFINITIONS, mirror))
    assert [each["spec"]["names"]["kind"] for each in found] == list(KINDS)
    assert [each for each in found if "status" in each] == []


def test_without_mpijobs_it_lacks_their_definition_their_image_and_their_controller(
    without_mpi_jobs: Platform,
) -> None:
    definitions, _ = TRAINING_OPERATOR_DEFINITION.plan(without_mpi_jobs)
    assert definitions.manifests == replace(DEFINITIONS, files=DEFINITIONS.files[1:])
    (deployment,) = _objects(without_mpi_jobs, "Deployment")
    assert "mpi" not in str(deployment)
    assert "kubectl" not in str(deployment)


def test_what_pods_of_teams_run_of_it_comes_from_mirrors(platform_after: PlatformWith) -> None:
    (deployment,) = _objects(platform_after("operators", MIRRORS), "Deployment")
    assert list(images_of(deployment)) == [
        "m.example.com/g/kubeflow/training-v1/training-operator:v1-93c5489",
        "m.example.com/d/library/busybox:1.36",
        "m.example.com/g/kubeflow/training-v1/kubectl-delivery:v1-93c5489",
    ]


def test_what_workers_wait_in_has_no_rights_and_no_gpu(platform: Platform) -> None:
    (config_map,) = _objects(platform, "ConfigMap")
    text = config_map["data"]["initContainer.yaml"]
    for field in ("InitContainerImage", "MaxTries", "MasterAddr"):
        assert f"{{{{.{field}}}}}" in text
    (container,) = yaml.safe_load(text.replace("{{.InitContainerImage}}", "image"))
    assert container["env"] == [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
        "runAsNonRoot": True,
        "runAsUser": 65534,
        "seccompProfile": {"type": "RuntimeDefault"},
    }


@pytest.mark.parametrize(
    ("registries", "expected"),
    [
        ("[]", []),
        ("[docker.io/library/]", []),
        (
            "[registry.example.com/]",
            [f"{REFUSED}docker.io/library/busybox:1.36, of no allowed registry"],
        ),
    ],
)
def test_it_is_told_where_workers_cannot_wait_for_their_master(
    platform_after: PlatformWith, registries: str, expected: list[str]
) -> None:
    allowed = ("teams:\n", f"policies: {{registries: {registries}}}\nteams:\n")
    faults = TRAINING_OPERATOR_DEFINITION.warnings(platform_after("operators", allowed))
    assert [fault.problem.what for fault in faults] == expected
