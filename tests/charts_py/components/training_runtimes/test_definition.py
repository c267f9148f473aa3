from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.components.training_runtimes.definition import (
    TRAINING_RUNTIMES,
    compute_domain,
    training_runtimes,
)
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith

IN_TRAINING = ("teams:\n", "training: {trainer: {}}\nteams:\n")
RDMA = ("    interconnect: infiniband\n", "    interconnect: infiniband\n    rdmaResource: r/ib\n")
UNNAMED = (
    "infiniband is not used by its training runtimes: "
    "rdmaResource does not name what its device plugin offers"
)
RACK = ("teams", "simulation", "namespaces", "rack-training")
REGISTRIES = (
    "teams:\n",
    "policies: {registries: [registry.example.com/, nvcr.io/nvidia/]}\nteams:\n",
)
AUDITED = ("policies: {", "policies: {rules: {image-registry: audit}, ")
MIRRORED = ("teams:\n", "registries: {docker.io: {mirror: registry.example.com/d}}\nteams:\n")
PRIVILEGED = ("        quota:\n", "        podSecurity: privileged\n        quota:\n")
UNCLAIMED = "every pod of a training runtime claims a channel of its NVLink domain"


@pytest.fixture
def rack(platform_after: PlatformWith) -> Platform:
    """Return the sample of a rack whose machines NVLink joins, with Trainer."""
    return platform_after("nvl72", IN_TRAINING, RDMA)


def _by_name(platform: Platform) -> Mapping[str, Document]:
    return {each["metadata"]["name"]: each for each in training_runtimes(platform)}


def _pod(runtime: Document, job: int = 0) -> dict[str, Any]:
    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    pod: dict[str, Any] = jobs[job]["template"]["spec"]["template"]["spec"]
    return pod


def test_pods_of_a_rack_stand_in_one_domain_and_claim_a_channel_of_it(rack: Platform) -> None:
    pod = _pod(_by_name(rack)["torch-gb200"])
    (container,) = pod["containers"]
    (term,) = pod["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert (term["topologyKey"], term["matchLabelKeys"]) == (
        "nvidia.com/gpu.clique",
        ["jobset.sigs.k8s.io/jobset-name"],
    )
    assert pod["nodeSelector"]["kubernetes.io/arch"] == "arm64"
    assert container["resources"]["claims"] == [{"name": "channel"}]
    (claim,) = pod["resourceClaims"]
    domain = compute_domain("rack-training")
    template = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert claim == {"name": "channel", "resourceClaimTemplateName": template}


def test_pods_ask_for_each_interface_that_a_plugin_gives_out(platform_after: PlatformWith) -> None:
    each = (RDMA[0], f"{RDMA[1]}    rdmaCount: 16\n")
    (container,) = _pod(_by_name(platform_after("nvl72", IN_TRAINING, each))["torch-gb200"])[
        "containers"
    ]
    assert container["resources"]["limits"]["r/ib"] == "16"


def test_a_namespace_with_a_quota_on_a_rack_has_a_domain_of_its_own(
    rack: Platform, example: Load
) -> None:
    assert TRAINING_RUNTIMES.contributes is not None
    for platform, count in ((rack, 1), (example("training"), 0)):
        teams = TRAINING_RUNTIMES.contributes(platform).teams
        for namespace in platform.namespaces:
            objects = teams[namespace.name]["training-runtimes"].objects
            assert objects == (compute_domain(namespace.name),) * count


@pytest.mark.parametrize(
    ("name", "replaced", "expected"),
    [
        ("training", (), {}),
        (
            "nvl72",
            (IN_TRAINING, ("          resourceClaims: 18", "")),
            {("pools", "gb200"): UNNAMED, (*RACK, "quota"): UNCLAIMED},
        ),
        (
            "nvl72",
            (("teams:\n", "training: {trainer: {}}\nqueues: {}\nteams:\n"), RDMA, PRIVILEGED),
            {},
        ),
        ("nvl72", (), {}),
    ],
)
def test_what_keeps_jobs_from_the_network_is_told(
    platform_after: PlatformWith,
    name: str,
    replaced: tuple[tuple[str, str], ...],
    expected: dict[tuple[str, ...], str],
) -> None:
    faults = TRAINING_RUNTIMES.warnings(platform_after(name, *replaced))
    assert {fault.problem.path: fault.problem.what for fault in faults} == expected


@pytest.mark.parametrize(
    ("replaced", "expected"),
    [
        ((), []),
        ((REGISTRIES,), ["torch", "deepspeed"]),
        ((REGISTRIES, AUDITED), []),
        ((REGISTRIES, MIRRORED), ["deepspeed"]),
    ],
)
def test_runtimes_whose_image_admission_refuses_are_told(
    platform_after: PlatformWith, replaced: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    faults = TRAINING_RUNTIMES.warnings(platform_after("training", *replaced))
    paths = [fault.problem.path for fault in faults]
    assert paths == [("training", "trainer", "images", framework) for framework in expected]
