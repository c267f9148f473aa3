"""What the rest of gpuplane must know about Azure's AKS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpus.taint import Taint

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")

A100 = "instanceType: Standard_NC24ads_A100_v4, purpose: batch, nodes: {max: 1}"


@pytest.mark.parametrize(
    ("purchase", "taints", "own"),
    [
        ("on-demand", (GPU_TAINT,), (GPU_TAINT,)),
        ("spot", (GPU_TAINT, SPOT_TAINT), (GPU_TAINT,)),
    ],
)
def test_aks_sets_the_taint_of_spot_nodes_and_not_that_of_gpus(
    platform_with: PlatformWith, purchase: str, taints: tuple[Taint, ...], own: tuple[Taint, ...]
) -> None:
    pool = f"{{{A100}, purchase: {purchase}}}"
    (found,) = platform_with("aks", pool).pools
    assert (found.facts.taints, found.own_taints) == (taints, own)


def test_aks_partitions_by_itself_so_its_nodes_ask_the_mig_manager_for_nothing(
    platform_with: PlatformWith,
) -> None:
    sharing = "{mig: {1g.10gb: 7}, timeSlicing: 2}"
    pool = f"{{{A100}, sharing: {sharing}}}"
    (found,) = platform_with("aks", pool).pools
    assert "nvidia.com/mig.config" not in found.facts.labels
    plugin_config = found.facts.labels["nvidia.com/device-plugin.config"]
    assert plugin_config == "mig-1g.10gb-time-slicing-2"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "region: westeurope",
            "region: west-europe",
            (
                'sample.yaml:2: region: "west-europe" is no region of aks; allowed: text such '
                "as westeurope, matching ^[a-z]+[0-9]?$"
            ),
        ),
        (
            "  a100mig:",
            "  a100miginference:",
            (
                'sample.yaml:12: pools.a100miginference: "a100miginference" has 16 characters; '
                "an AKS agent pool takes at most 12; allowed: ^[a-z][a-z0-9]{0,11}$"
            ),
        ),
    ],
)
def test_regions_and_agent_pools_have_names_of_azure_s_form(
    faults_after: Callable[..., str], old: str, new: str, fault: str
) -> None:
    assert faults_after("aks", (old, new)) == fault
