import pytest

from charts_py.providers.aks.definition import AKS
from gpus.nearest import is_one_typo
from gpus.taint import Taint
from tests.charts_py.fixture_types import PlatformWith

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")
A100 = "instanceType: Standard_NC24ads_A100_v4, purpose: batch, nodes: {max: 1}"


@pytest.mark.parametrize(
    ("purchase", "taints", "own"),
    [("on-demand", (GPU_TAINT,), (GPU_TAINT,)), ("spot", (GPU_TAINT, SPOT_TAINT), (GPU_TAINT,))],
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


@pytest.mark.parametrize("region", ["belgiumcentral", "westus4", "swedennorth", "atlantisnorth"])
def test_a_region_that_is_new_is_taken(platform_after: PlatformWith, region: str) -> None:
    assert (
        platform_after("aks", ("region: westeurope", f"region: {region}")).cluster.region == region
    )


def test_no_region_looks_like_a_typo_of_another() -> None:
    names = {name.rstrip("0123456789") for name in AKS.regions.names}
    assert [(a, b) for a in names for b in names if is_one_typo(a, b)] == []
