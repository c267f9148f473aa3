"""The MIG profiles that Google's device plugin partitions GPUs into."""

from __future__ import annotations

import pytest

from gpus.catalog import load_catalog
from gpus.provider import Provider

ACCELERATORS = load_catalog().accelerators(Provider.GKE)
MIG_PROFILES = {
    model: accelerator.mig_profiles
    for model, accelerator in ACCELERATORS.items()
    if accelerator.mig_profiles
}

COUNTS = {
    "1g.5gb": 7,
    "2g.10gb": 3,
    "3g.20gb": 2,
    "7g.40gb": 1,
    "1g.10gb": 7,
    "2g.20gb": 3,
    "3g.40gb": 2,
    "7g.80gb": 1,
    "1g.20gb": 4,
    "1g.18gb": 7,
    "1g.35gb": 4,
    "2g.35gb": 3,
    "3g.71gb": 2,
    "4g.71gb": 1,
    "7g.141gb": 1,
    "1g.23gb": 7,
    "1g.45gb": 4,
    "2g.45gb": 3,
    "3g.90gb": 2,
    "4g.90gb": 1,
    "7g.180gb": 1,
    "1g.47gb": 4,
    "2g.47gb": 3,
    "3g.93gb": 2,
    "4g.93gb": 1,
    "7g.186gb": 1,
    "1g.24gb": 4,
    "1g.24gb+me": 1,
    "1g.24gb+gfx": 4,
    "1g.24gb+me.all": 1,
    "1g.24gb-me": 4,
    "2g.48gb": 2,
    "2g.48gb+gfx": 2,
    "2g.48gb+me.all": 1,
    "2g.48gb-me": 2,
    "4g.96gb": 1,
    "4g.96gb+gfx": 1,
}
"""`gpuPartitionSizeMaxCount` in pkg/gpu/nvidia/mig/mig.go of
https://github.com/GoogleCloudPlatform/container-engine-accelerators at 992db81."""


def test_every_gpu_of_gke_that_has_mig_has_profiles() -> None:
    models = load_catalog().models
    assert set(MIG_PROFILES) == {name for name in ACCELERATORS if models[name].mig is not None}


def test_every_profile_of_the_plugin_is_one_of_some_gpu() -> None:
    assert {profile for profiles in MIG_PROFILES.values() for profile in profiles} == set(COUNTS)


@pytest.mark.parametrize("model", MIG_PROFILES)
def test_the_plugin_makes_as_many_instances_of_a_profile_as_fit(model: str) -> None:
    geometry = load_catalog().models[model].mig
    assert geometry is not None
    fitting = {name: geometry.profile(name).max_count for name in MIG_PROFILES[model]}
    assert fitting == {name: COUNTS[name] for name in MIG_PROFILES[model]}
