from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform
from tests.charts_py.fixture_types import FaultsOf, Load, Sample


def test_gaudi_needs_a_device_plugin_of_the_clusters_own(faults_after: FaultsOf) -> None:
    assert faults_after("onprem", ("gpu: MI300X", "gpu: Gaudi3")) == (
        "sample.yaml:32: pools.mi300x.gpu: gpuplane installs no device plugin for Gaudi3; "
        "allowed: add Habana's device plugin with extensions.manifests"
    )


def test_manifests_of_its_own_may_bring_it(
    sample: Sample, platform_of: Load, tmp_path: Path
) -> None:
    (tmp_path / "manifests").mkdir()
    text = sample("onprem", ("gpu: MI300X", "gpu: Gaudi3"))
    platform = platform_of(f"{text}extensions: {{manifests: manifests}}\n")
    assert platform.pool("mi300x").vendor == "gaudi"


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    file = tmp_path / "fleet.yaml"
    file.write_text("cost: {currency: EUR, usdRate: 0.92}\n", encoding="utf-8")
    return file


def test_a_cluster_in_us_dollars_is_told_to_drop_the_rate_of_the_fleet(
    fleet: Path, sample: Sample
) -> None:
    cluster = fleet.with_name("sample.yaml")
    cluster.write_text(sample("eks") + "cost: {currency: USD}\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_platform(cluster, fleet)
    assert str(caught.value) == (
        f"{fleet}:1: cost.usdRate: without effect: amounts are in USD already; allowed: "
        "another cost.currency, or usdRate: null in a cluster that has the fleet's rate"
    )


def test_a_cluster_may_drop_the_rate_of_the_fleet(fleet: Path, sample: Sample) -> None:
    cluster = fleet.with_name("sample.yaml")
    cluster.write_text(sample("eks") + "cost: {currency: USD, usdRate: null}\n", encoding="utf-8")
    assert load_platform(cluster, fleet).cluster.cost.usd_rate is None
