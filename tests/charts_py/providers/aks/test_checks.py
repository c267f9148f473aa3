"""Regions of Azure."""

import pytest

from charts_py.providers.regions import REGIONS
from gpus.nearest import is_one_typo
from tests.charts_py.fixture_types import PlatformWith


@pytest.mark.parametrize("region", ["belgiumcentral", "westus4", "swedennorth", "atlantisnorth"])
def test_a_region_that_is_new_is_taken(platform_after: PlatformWith, region: str) -> None:
    assert (
        platform_after("aks", ("region: westeurope", f"region: {region}")).cluster.region == region
    )


def test_no_region_looks_like_a_typo_of_another() -> None:
    names = {name.rstrip("0123456789") for name in REGIONS["aks"].names}
    assert [(a, b) for a in names for b in names if is_one_typo(a, b)] == []
