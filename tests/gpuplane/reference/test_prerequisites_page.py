"""The page of prerequisites, and what its table says of each provider."""

import re
from pathlib import Path

import pytest

from charts_py.components.registry import DEFINITIONS
from charts_py.providers.registry import PROVIDERS as DEFINED_PROVIDERS
from gpuplane.reference.prerequisites_page import known_prerequisites, prerequisites_page
from tests.rows import rows_beside

each_row = rows_beside(__file__, "prerequisites.yaml")

DOCS = Path(__file__).parents[3] / "docs"
PROVIDERS = known_prerequisites().providers


@pytest.fixture(scope="module")
def sections() -> dict[str, list[list[str]]]:
    """Return the cells of the rows below the header, by section."""
    _, *found = prerequisites_page().split("\n## ")
    return {part.partition("\n")[0]: _rows(part) for part in found}


def _rows(section: str) -> list[list[str]]:
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def test_every_provider_has_a_section(sections: dict[str, list[list[str]]]) -> None:
    assert list(sections) == [
        "Every cluster",
        "By component",
        *(one.value for one in DEFINED_PROVIDERS),
    ]


def test_every_row_says_what_happens_without_it(sections: dict[str, list[list[str]]]) -> None:
    rows = [row for found in sections.values() for row in found]
    assert [row for row in rows if len(row) != 3 or not all(row)] == []


def test_every_prerequisite_stands_on_it(sections: dict[str, list[list[str]]]) -> None:
    shown = {row[0] for found in sections.values() for row in found}
    known = known_prerequisites()
    declared = [*known.components.values(), *known.providers.values()]
    assert [each.name for rows in declared for each in rows if each.name not in shown] == []


def test_every_prerequisite_is_of_a_component_or_a_provider() -> None:
    known = known_prerequisites()
    components = [definition.name for definition in DEFINITIONS]
    assert list(known.components) == [name for name in components if name in known.components]
    assert list(known.providers) == [one.value for one in DEFINED_PROVIDERS]


def test_whoever_pulls_images_is_told_where_secrets_are_needed(
    sections: dict[str, list[list[str]]],
) -> None:
    *_, (secrets, *_, without) = sections["By component"]
    assert re.findall("`(.*?)`", secrets) == [
        "imagePullSecrets",
        "registries",
        "agentgateway-system",
        "amd-gpu-operator",
        "argo-rollouts",
        "cert-manager",
        "dra-driver-nvidia-gpu",
        "gpu-burn-in",
        "gpu-operator",
        "gpuplane-culling",
        "gpuplane-repair",
        "gpuplane-system",
        "jobset-system",
        "kai-resource-reservation",
        "kai-scheduler",
        "keda",
        "keda-http-add-on",
        "kube-system",
        "kubeflow-system",
        "kuberay-system",
        "kueue-system",
        "lws-system",
        "mlflow",
        "node-cache",
        "node-pools",
        "node-problem-detector",
        "node-readiness-controller",
        "opencost",
        "slinky",
        "slurm",
        "topograph",
        "training-operator",
        "volcano-system",
    ]
    assert without == "images of private registries are not pulled, and their wave never ends"


def test_the_image_of_the_webhook_is_somebody_s_to_build(
    sections: dict[str, list[list[str]]],
) -> None:
    needed = [row[1] for row in sections["By component"] if "`webhook.image`" in row[0]]
    assert needed == [
        "`webhook`: unless `policies.admission` is `in-tree-only`",
        "`idle-gpus`: for rounds that look for idle GPUs",
        "`gpu-repair`: for rounds that repair nodes, and for the pod that reboots one",
    ]


def test_argo_cd_reaches_the_repository_of_every_chart(
    sections: dict[str, list[list[str]]],
) -> None:
    (_, _, reached, _) = sections["Every cluster"]
    repositories = {chart.repository for one in DEFINITIONS for chart in one.charts}
    assert [each for each in repositories if f"`{each}`" not in reached[0]] == []


@each_row("facts")
def test_metrics_and_policies_follow_from_facts(
    sections: dict[str, list[list[str]]], provider: str, metrics_server: list[str], engine: str
) -> None:
    names = [row[0] for row in sections[provider]]
    expected = [*metrics_server, f"An engine that enforces NetworkPolicies: {engine}"]
    assert names[: len(expected)] == expected


def test_eksctl_leaves_the_device_plugin_to_the_gpu_operator() -> None:
    """`--install-nvidia-plugin` is true by default (eksctl v0.230.0 pkg/eks/tasks.go)."""
    texts = [each.name for each in PROVIDERS["eks"]] + (DOCS / "eks.md").read_text(
        encoding="utf-8"
    ).splitlines()
    commands = [text for text in texts if "eksctl create nodegroup" in text]
    assert commands
    assert [text for text in commands if "--install-nvidia-plugin=false" not in text] == []


@each_row("karpenter")
def test_karpenter_has_what_its_pools_need(word: str, needed: str) -> None:
    assert [each.needed for each in PROVIDERS["eks"] if word in each.name] == [needed]


@each_row("subjects")
def test_what_google_and_azure_ask_for_is_stated_with_when_they_do(
    provider: str, subjects: dict[str, str]
) -> None:
    stated = {one.name: one.needed for one in PROVIDERS[provider]}
    found = {
        subject: needed
        for subject in subjects
        for name, needed in stated.items()
        if name.startswith(subject)
    }
    assert (found, len(stated)) == (subjects, len(subjects))


TITLE = "Share the GPUs of your own machines in another way"


def test_gpus_are_partitioned_only_while_nothing_uses_them() -> None:
    """And only once (mig-parted v0.15.0 cmd/nvidia-mig-manager/main.go: no retry)."""
    (drained,) = (each for each in PROVIDERS["onprem"] if "drained" in each.name)
    anchor = TITLE.lower().replace(" ", "-")
    assert f"(versions.md#{anchor})" in drained.name
    assert "`failed`" in drained.without
    section = (
        (DOCS / "versions.md")
        .read_text(encoding="utf-8")
        .partition(f"## {TITLE}\n")[2]
        .partition("\n## ")[0]
    )
    assert "kubectl drain --selector gpuplane.io/pool=" in section
    assert (
        "kubectl delete pod --namespace gpu-operator --selector app=nvidia-mig-manager" in section
    )
