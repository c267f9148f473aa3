"""The page of prerequisites."""

from __future__ import annotations

import re

import pytest

from charts_py.components.registry import DEFINITIONS
from charts_py.providers.registry import PROVIDERS
from gpuplane.reference.prerequisites_page import known_prerequisites, prerequisites_page

INSTALLED = (
    "metrics-server, which the platform installs; where the cluster has one, such as EKS's "
    "add-on or that of k3s, set `addons.metricsServer.install: false`"
)


@pytest.fixture(scope="module")
def sections() -> dict[str, list[list[str]]]:
    """Return the cells of the rows below the header, by section."""
    _, *found = prerequisites_page().split("\n## ")
    return {part.partition("\n")[0]: _rows(part) for part in found}


def _rows(section: str) -> list[list[str]]:
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def test_every_provider_has_a_section(sections: dict[str, list[list[str]]]) -> None:
    assert list(sections) == ["Every cluster", "By component", *(one.value for one in PROVIDERS)]


def test_every_row_says_what_happens_without_it(sections: dict[str, list[list[str]]]) -> None:
    rows = [row for found in sections.values() for row in found]
    assert [row for row in rows if len(row) != 4 or not all(row)] == []


def test_every_prerequisite_stands_on_it(sections: dict[str, list[list[str]]]) -> None:
    shown = {row[0] for found in sections.values() for row in found}
    known = known_prerequisites()
    declared = [*known.components.values(), *known.providers.values()]
    assert [each.name for rows in declared for each in rows if each.name not in shown] == []


def test_every_prerequisite_is_of_a_component_or_a_provider() -> None:
    known = known_prerequisites()
    components = [definition.name for definition in DEFINITIONS]
    assert list(known.components) == [name for name in components if name in known.components]
    assert list(known.providers) == [one.value for one in PROVIDERS]


def test_whoever_pulls_images_is_told_where_secrets_are_needed(
    sections: dict[str, list[list[str]]],
) -> None:
    *_, (secrets, *_, without) = sections["By component"]
    assert re.findall("`(.*?)`", secrets) == [
        "imagePullSecrets",
        "registries",
        "amd-gpu-operator",
        "dra-driver-nvidia-gpu",
        "gpu-burn-in",
        "gpu-operator",
        "gpuplane-culling",
        "gpuplane-system",
        "jobset-system",
        "kai-resource-reservation",
        "kai-scheduler",
        "kube-system",
        "kubeflow-system",
        "kuberay-system",
        "kueue-system",
        "lws-system",
        "node-problem-detector",
        "node-readiness-controller",
        "opencost",
        "slinky",
        "slurm",
        "topograph",
        "training-operator",
        "volcano-system",
    ]
    assert without == (
        "images of private registries are not pulled: the wave of their component never ends, or "
        "nodes that come later lack its daemons"
    )


def test_the_image_of_the_webhook_is_somebody_s_to_build(
    sections: dict[str, list[list[str]]],
) -> None:
    needed = [row[1] for row in sections["By component"] if "`webhook.image`" in row[0]]
    assert needed == [
        "`webhook`: unless `policies.admission` is `in-tree-only`",
        "`idle-gpus`: for rounds that look for idle GPUs",
    ]


def test_argo_cd_reaches_the_repository_of_every_chart(
    sections: dict[str, list[list[str]]],
) -> None:
    (_, reached, _) = sections["Every cluster"]
    repositories = {chart.repository for one in DEFINITIONS for chart in one.charts}
    assert [each for each in repositories if f"`{each}`" not in reached[0]] == []


@pytest.mark.parametrize(
    ("provider", "metrics_server", "engine"),
    [
        ("eks", INSTALLED, "`vpc-cni`, `calico`, `cilium`"),
        ("gke", "metrics-server, which every cluster here has", "`dataplane-v2`, `calico`"),
        ("aks", "metrics-server, which every cluster here has", "`cilium`, `calico`, `azure`"),
        (
            "onprem",
            INSTALLED,
            "`cilium`, `calico`, `antrea`, `kube-router`",
        ),
    ],
)
def test_metrics_and_policies_follow_from_facts(
    sections: dict[str, list[list[str]]], provider: str, metrics_server: str, engine: str
) -> None:
    (first, second, *_) = sections[provider]
    assert (first[0], second[0]) == (
        metrics_server,
        f"An engine that enforces NetworkPolicies: {engine}",
    )
