from pathlib import Path

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
