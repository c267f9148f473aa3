import datetime as dt

import pytest

from gpus.catalog import load_catalog
from gpus.provider import Provider
from gpus.purchase import load_price_list

CATALOG = load_catalog()
UNLISTED = {
    Provider.EKS: {
        "p5e.48xlarge",
        "g7.2xlarge",
        "g7.4xlarge",
        "g7.8xlarge",
        "g7.12xlarge",
        "g7.24xlarge",
        "g7.48xlarge",
    },
    Provider.GKE: {"a3-ultragpu-8g", "a4-highgpu-8g", "a4x-highgpu-4g"},
    Provider.AKS: set[str](),
}
"""Instance types without a price in any region."""


@pytest.mark.parametrize(
    ("provider", "region", "instance_type", "as_of", "hour"),
    [
        (Provider.EKS, "us-east-1", "p5.48xlarge", dt.date(2026, 7, 20), 55.04),
        (Provider.EKS, "us-gov-west-1", "p5.48xlarge", dt.date(2026, 7, 20), 66.048),
        (Provider.EKS, "sa-east-1", "p5.48xlarge", dt.date(2026, 1, 21), 92.4672),
        (Provider.EKS, "eu-south-2", "g7e.2xlarge", dt.date(2026, 1, 21), 3.54384),
        (Provider.GKE, "us-central1", "a2-ultragpu-8g", dt.date(2026, 8, 3), 40.5504),
        (Provider.AKS, "eastus", "Standard_ND96isr_H100_v5", dt.date(2026, 6, 18), 98.32),
    ],
)
def test_a_price_is_one_of_a_day_a_region_and_an_instance_type(
    provider: Provider, region: str, instance_type: str, as_of: dt.date, hour: float
) -> None:
    prices = load_price_list(provider)
    assert prices is not None
    assert (prices.day(region), prices.machine_hour(region, instance_type)) == (as_of, hour)


@pytest.mark.parametrize(
    ("region", "instance_type"), [("us-east-1", "p5e.48xlarge"), ("eu-west-1", "p5.48xlarge")]
)
def test_what_no_source_names_has_no_price(region: str, instance_type: str) -> None:
    prices = load_price_list(Provider.EKS)
    assert prices is not None
    assert prices.machine_hour(region, instance_type) is None


def test_machines_of_one_s_own_have_no_list_price() -> None:
    assert load_price_list(Provider.ONPREM) is None


@pytest.mark.parametrize("provider", UNLISTED)
def test_no_source_names_a_price_of_these_and_every_price_is_of_a_known_one(
    provider: Provider,
) -> None:
    prices = load_price_list(provider)
    assert prices is not None
    listed = {name for types in prices.on_demand.values() for name in types}
    assert set(CATALOG.instance_types[provider]) ^ listed == UNLISTED[provider]


@pytest.mark.parametrize("provider", UNLISTED)
def test_regions_differ_in_their_prices_and_not_in_their_order_of_magnitude(
    provider: Provider,
) -> None:
    prices = load_price_list(provider)
    assert prices is not None
    for name in CATALOG.instance_types[provider]:
        hours = [types[name] for types in prices.on_demand.values() if name in types]
        assert all(0 < hour <= 2.5 * min(hours) for hour in hours), name


def test_a_region_of_aws_asks_the_same_factor_for_each_size_of_a_family() -> None:
    """A price that was copied wrong breaks this; AWS rounds by less than one percent."""
    prices = load_price_list(Provider.EKS)
    assert prices is not None
    home = prices.on_demand["us-east-1"]
    for region, types in prices.on_demand.items():
        factors: dict[str, list[float]] = {}
        for name in types:
            factors.setdefault(name.partition(".")[0], []).append(types[name] / home[name])
        for family, found in factors.items():
            assert max(found) < 1.01 * min(found), (region, family)
            assert 0.99 < min(found) < 1.75, (region, family)


def test_only_regions_with_prices_have_a_newer_day() -> None:
    for provider in UNLISTED:
        prices = load_price_list(provider)
        assert prices is not None
        assert set(prices.newer) <= set(prices.on_demand)
        assert all(day > prices.as_of for day in prices.newer.values())
