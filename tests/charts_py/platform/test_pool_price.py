import datetime as dt

import pytest

from charts_py.cluster_file.pool import Electricity, OwnedMachine
from charts_py.platform.pool_price import NoPrice, Price, PriceOrigin, owned_hour
from tests.charts_py.fixture_types import PlatformWith

pytestmark = pytest.mark.usefixtures("fixed_prices")
EKS_LIST = dt.date(2026, 7, 20)
LISTED = PriceOrigin.LISTED
MACHINE = OwnedMachine(capex=280320, years=4, residual=0.25, opex=17520, kilowatts=10)
MACHINE_YAML = "{capex: 280320, years: 4, residual: 0.25, opex: 17520, kilowatts: 10}"


@pytest.mark.parametrize(
    ("cost", "price"),
    [
        ("", Price(55.04, 8, "USD", LISTED, EKS_LIST)),
        ("cost: {discounts: {reserved: 0.5}}", Price(27.52, 8, "USD", LISTED, EKS_LIST)),
        ("cost: {discounts: {spot: 0.5}}", Price(55.04, 8, "USD", LISTED, EKS_LIST)),
        ("cost: {currency: EUR, usdRate: 0.5}", Price(27.52, 8, "EUR", LISTED, EKS_LIST)),
        (
            "cost: {currency: EUR}",
            NoPrice(
                "listed prices are in USD, and cost.usdRate is not set",
                "price, cost.prices, or cost.usdRate",
            ),
        ),
        (
            "cost: {currency: EUR, prices: {p5.48xlarge: {reserved: 31.5, spot: 18}}}",
            Price(31.5, 8, "EUR", PriceOrigin.INSTANCE_TYPE),
        ),
        ("cost: {prices: {p5.48xlarge: {spot: 18}}}", Price(55.04, 8, "USD", LISTED, EKS_LIST)),
    ],
)
def test_a_reserved_node_costs_what_is_stated_or_listed(
    cost: str, price: Price | NoPrice, platform_after: PlatformWith
) -> None:
    platform = platform_after("eks", ("priorities:\n", f"{cost}\npriorities:\n"))
    assert platform.price_or_reason(platform.pool("h100")) == price


@pytest.mark.parametrize(
    ("cost", "price"),
    [
        (
            "",
            NoPrice(
                "no price of spot nodes is listed, since it varies",
                "price, cost.prices, or cost.discounts",
            ),
        ),
        ("cost: {discounts: {spot: 0.75}}", Price(13.76, 8, "USD", LISTED, EKS_LIST)),
        (
            "cost: {prices: {p5.48xlarge: {spot: 18}}}",
            Price(18, 8, "USD", PriceOrigin.INSTANCE_TYPE),
        ),
    ],
)
def test_a_spot_node_costs_only_what_is_stated(
    cost: str, price: Price | NoPrice, platform_after: PlatformWith
) -> None:
    spot = ("purchase: reserved\n    reservation: cr-0123456789abcdef0", "purchase: spot")
    platform = platform_after("eks", spot, ("priorities:\n", f"{cost}\npriorities:\n"))
    assert platform.price_or_reason(platform.pool("h100")) == price


def test_the_price_of_a_pool_comes_before_all_others(platform_after: PlatformWith) -> None:
    stated = ("purchase: reserved\n", "purchase: reserved\n    price: 12\n")
    cost = ("priorities:\n", "cost: {prices: {p5.48xlarge: {reserved: 31.5}}}\npriorities:\n")
    platform = platform_after("eks", stated, cost)
    price = platform.price_of(platform.pool("h100"))
    assert price == Price(12, 8, "USD", PriceOrigin.POOL)
    assert price.gpu_hour == 1.5


def test_a_region_that_no_table_has_is_a_gap(platform_after: PlatformWith) -> None:
    elsewhere = ("us-east-1\n", "eu-west-1\n"), ("us-east-1a", "eu-west-1a")
    platform = platform_after("eks", *elsewhere)
    assert platform.price_of(platform.pool("h100")) is None
    assert platform.price_or_reason(platform.pool("h100")) == NoPrice(
        "no price of p5.48xlarge in eu-west-1 is listed", "price, or cost.prices"
    )


def test_owned_machines_cost_their_depreciation_upkeep_and_power() -> None:
    """Of 280320, 210240 are written off over 35040 hours: 6 an hour; 17520 / 8760 is 2."""
    assert owned_hour(MACHINE, None) == 8
    electricity = Electricity.model_validate({"kilowattHour": 0.2, "pue": 1.5})
    assert owned_hour(MACHINE, electricity) == 11


def test_machines_of_one_s_own_cost_what_the_file_says(platform_after: PlatformWith) -> None:
    owned = ("nodes: {min: 4, max: 4}\n", f"nodes: {{min: 4, max: 4}}\n    owned: {MACHINE_YAML}\n")
    power = ("pools:\n", "cost: {electricity: {kilowattHour: 0.2, pue: 1.5}}\npools:\n")
    platform = platform_after("onprem", owned, power)
    assert platform.price_of(platform.pool("h200")) == Price(11, 8, "USD", PriceOrigin.OWNED)
    assert platform.price_or_reason(platform.pool("l40s")) == NoPrice(
        "machines of your own have no listed price", "price, or owned"
    )


def test_amounts_are_in_the_currency_of_the_file(platform_after: PlatformWith) -> None:
    platform = platform_after("cost")
    assert platform.price_of(platform.pool("l40s")) == Price(4.5, 4, "EUR", PriceOrigin.POOL)
    owned = platform.price_of(platform.pool("h200"))
    assert owned is not None
    assert owned.currency == "EUR"
    assert owned.node_hour == pytest.approx(84000 / 8760 + 1.755)
