"""The page of prerequisites, and what its table says of each provider."""

import re
from pathlib import Path

import pytest

from charts_py.components.registry import DEFINITIONS
from charts_py.providers.registry import PROVIDERS as DEFINED_PROVIDERS
from gpuplane.reference.prerequisites_page import known_prerequisites, prerequisites_page

DOCS = Path(__file__).parents[3] / "docs"
PROVIDERS = known_prerequisites().providers

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
    assert list(sections) == [
        "Every cluster",
        "By component",
        *(one.value for one in DEFINED_PROVIDERS),
    ]


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
    assert list(known.providers) == [one.value for one in DEFINED_PROVIDERS]


def test_whoever_pulls_images_is_told_where_secrets_are_needed(
    sections: dict[str, list[list[str]]],
) -> None:
    *_, (secrets, *_, without) = sections["By component"]
    assert re.findall("`(.*?)`", secrets) == [
        "imagePullSecrets",
        "registries",
        "amd-gpu-operator",
        "cert-manager",
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
        ("onprem", INSTALLED, "`cilium`, `calico`, `antrea`, `kube-router`"),
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


def test_eksctl_leaves_the_device_plugin_to_the_gpu_operator() -> None:
    """`--install-nvidia-plugin` is true by default (eksctl v0.230.0 pkg/eks/tasks.go)."""
    texts = [each.name for each in PROVIDERS["eks"]] + (DOCS / "eks.md").read_text(
        encoding="utf-8"
    ).splitlines()
    commands = [text for text in texts if "eksctl create nodegroup" in text]
    assert commands
    assert [text for text in commands if "--install-nvidia-plugin=false" not in text] == []


@pytest.mark.parametrize(
    ("word", "needed"),
    [
        # https://github.com/aws/karpenter-provider-aws (pkg/providers/version/version.go)
        ("1.15 on Kubernetes 1.37", "unless `eks.provisioner` is `eksctl`"),
        # Without it Karpenter hears of no interruption, and drains no node before it.
        (
            "settings.interruptionQueue",
            "for pools with `purchase: spot`, unless `eks.provisioner` is `eksctl`",
        ),
        # Karpenter replaces a drifted node before it deletes it (core v1.15.0 staticdrift.go).
        (
            "One instance more in a capacity reservation",
            "for pools with `purchase: reserved`, unless `eks.provisioner` is `eksctl`",
        ),
    ],
)
def test_karpenter_has_what_its_pools_need(word: str, needed: str) -> None:
    assert [each.needed for each in PROVIDERS["eks"] if word in each.name] == [needed]


_BY_CONFIG_CONNECTOR = "unless `gke.provisioner` is `compute-class`"
_LINKED = "for pools that talk over GPUDirect or RoCE"

OF_GOOGLE = {
    "A Standard cluster": "always",
    "Config Connector": _BY_CONFIG_CONNECTOR,
    "A cluster in no release channel": (
        "for pools with `nodes.queued`, whose nodes GKE does not upgrade"
    ),
    "Dataplane V2 with multi-networking": f"{_LINKED}, {_BY_CONFIG_CONNECTOR}",
    "Dataplane V2, GKE 1.34": f"{_LINKED}, where `gke.provisioner` is `compute-class`",
    "A workload policy": "for pools of A4X",
    "The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict": (
        f"{_BY_CONFIG_CONNECTOR}, which leaves nodes of all purposes but inference alone until "
        "they are empty"
    ),
    "A range of pod addresses": "always",
    "Workload Identity Federation for GKE": "always",
}

OF_AZURE = {
    "Azure Service Operator": "always",
    "A subnet": "always",
    "A user-assigned managed identity": "for pools with a `reservation`",
    "The feature `AKSInfinibandSupport`": "for pools that talk over InfiniBand",
    "LocalDNS off": "where `network.policyEngine` is `cilium`; AKS Automatic has LocalDNS on",
    "At most 250 nodes": "where `network.policyEngine` is `azure`",
}


@pytest.mark.parametrize(("provider", "subjects"), [("gke", OF_GOOGLE), ("aks", OF_AZURE)])
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
