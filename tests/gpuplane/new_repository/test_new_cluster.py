from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.cluster_file.source import source_of
from charts_py.load import platform_of
from charts_py.platform.placeholder import is_placeholder
from charts_py.warnings import find_warnings
from gpuplane.new_repository.new_cluster import (
    NewCluster,
    cluster_text,
    machines_with,
    offered_models,
    write_cluster,
)
from gpuplane.new_repository.source import InitError
from gpus.provider import Provider
from tests.example_repository import example_cluster
from tests.gpuplane.messages import message_of

FLEET = b'gitops: {repository: "https://git.example.com/platform.git"}'
REFUSED = {
    "MI300X": "AKS makes nodes with MI300X only by gpuProfile",
    "A10-24Q": "the GPU operator has no driver for A10-24Q",
    "V100": "the chart's driver",
    "Gaudi": "gpuplane installs no device plugin for Gaudi",
}
"""What no cluster can have without more than a new file says, by the beginning of models."""
CHOSEN = {
    (Provider.EKS, "H100-SXM"): "p5.48xlarge",
    (Provider.EKS, "L4"): "g6.48xlarge",
    (Provider.GKE, "H100-SXM"): "a3-megagpu-8g",
    (Provider.AKS, "A100-SXM-80"): "Standard_ND96amsr_A100_v4",
}


def _refusal(cluster: NewCluster, folder: Path) -> str | None:
    try:
        write_cluster(cluster, folder, folder / "fleet.yaml")
    except InitError as error:
        return str(error)
    return None


@pytest.mark.parametrize("provider", list(Provider))
def test_every_model_that_is_offered_makes_a_valid_cluster(
    provider: Provider, tmp_path: Path
) -> None:
    (tmp_path / "fleet.yaml").write_bytes(FLEET)
    models = offered_models(provider)
    clusters = (
        replace(example_cluster(provider), name=f"c{at}", gpu=gpu) for at, gpu in enumerate(models)
    )
    refused = {each.gpu: said for each in clusters if (said := _refusal(each, tmp_path))}
    known = {
        gpu: any(gpu.startswith(start) and why in said for start, why in REFUSED.items())
        for gpu, said in refused.items()
    }
    assert known == dict.fromkeys(refused, True)
    assert len(models) - len(refused) > 5


@pytest.mark.parametrize("provider", list(Provider))
def test_nothing_is_warned_of_but_placeholders_and_what_enforces_policies_on_machines_of_ones_own(
    provider: Provider,
) -> None:
    text = cluster_text(example_cluster(provider)).encode()
    platform = platform_of(Path("example.yaml"), source_of(text, "a"), source_of(FLEET, "b"))
    faults = [each.fault for each in find_warnings(platform)]
    others = [fault.problem.path for fault in faults if not is_placeholder(fault)]
    is_open = provider is Provider.ONPREM
    assert others == [("network", "policyEngine")] * is_open
    assert len(faults) >= 3


def test_its_machines_have_the_most_gpus_and_the_fastest_network() -> None:
    assert {
        (provider, gpu): machines_with(provider, gpu)[0].name for provider, gpu in CHOSEN
    } == CHOSEN


def test_a_cost_center_is_quoted_so_that_a_number_can_stand_there() -> None:
    assert 'costCenter: "change-me"' in cluster_text(example_cluster(Provider.EKS))


def test_teams_share_what_the_nodes_have() -> None:
    cluster = replace(example_cluster(Provider.ONPREM), teams=("vision", "speech"))
    text = cluster_text(cluster)
    quota = "{gpus: {h200: 16}, cpu: 345, memory: 3686Gi, storage: 1Ti}"
    assert text.count(f"quota: {quota}") == 2


def test_a_cluster_without_teams_shows_one_as_a_comment() -> None:
    text = cluster_text(replace(example_cluster(Provider.EKS), teams=()))
    platform = platform_of(
        Path("example.yaml"), source_of(text.encode(), "a"), source_of(FLEET, "b")
    )
    assert (dict(platform.cluster.teams), "\n# teams:\n#   research:\n" in text) == ({}, True)


@pytest.mark.parametrize(
    ("gpu", "pool"),
    [("H100-SXM", "h100"), ("A10G", "a10g"), ("RTX-PRO-6000", "rtxpro6000"), ("MI300X", "mi300x")],
)
def test_a_pool_is_called_after_its_gpus(gpu: str, pool: str) -> None:
    assert replace(example_cluster(Provider.ONPREM), gpu=gpu).pool == pool


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "example.yaml").write_text("mine", encoding="utf-8")
    cluster = example_cluster(Provider.ONPREM)
    said = f"{tmp_path}/example.yaml: already exists; allowed: another name"
    assert message_of(FileExistsError, write_cluster, cluster, tmp_path, None) == said
    assert (tmp_path / "example.yaml").read_text("utf-8") == "mine"
