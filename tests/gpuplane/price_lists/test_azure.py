import datetime as dt
import json
from typing import Any

import pytest

from gpuplane.price_lists.azure import azure_prices
from gpuplane.price_lists.published import PriceListError
from gpus.purchase import PriceList
from tests.gpuplane.price_lists.cloud import Cloud

TODAY = dt.date(2026, 11, 30)
NAME = "Standard_ND96isr_H100_v5"
ITEM = {
    "currencyCode": "USD",
    "tierMinimumUnits": 0.0,
    "retailPrice": 98.32,
    "unitPrice": 98.32,
    "armRegionName": "eastus",
    "location": "US East",
    "meterName": "ND96isr H100 v5",
    "productName": "Virtual Machines NDSH100v5 Series",
    "skuName": "ND96isr H100 v5",
    "serviceName": "Virtual Machines",
    "unitOfMeasure": "1 Hour",
    "type": "Consumption",
    "isPrimaryMeterRegion": True,
    "armSkuName": NAME,
}


def page(*changes: dict[str, Any], following: str | None = None) -> str:
    items = [{**ITEM, **change} for change in changes]
    return json.dumps({"BillingCurrency": "USD", "Items": items, "NextPageLink": following})


def found_at(cloud: Cloud) -> PriceList:
    return azure_prices((NAME,), ("eastus", "westeurope"), TODAY, cloud.url)


def test_prices_are_those_of_known_regions_on_all_pages(cloud: Cloud) -> None:
    last = page({"armRegionName": "westeurope", "retailPrice": 117.984}, {"armRegionName": "mars"})
    first = page({}, following=f"{cloud.url}/api/retail/prices?$skip=1000")
    cloud.answers = {"$skip=1000": last, f"armSkuName eq '{NAME}'": first}
    hours = {"eastus": {NAME: 98.32}, "westeurope": {NAME: 117.984}}
    assert found_at(cloud) == PriceList(TODAY, hours)


@pytest.mark.parametrize(
    "other",
    [
        {"productName": "Virtual Machines NDSH100v5 Series Windows"},
        {"productName": "NDSH100v5 Series Cloud Services"},
        {"skuName": "ND96isr H100 v5 Spot"},
        {"skuName": "ND96isr H100 v5 Low Priority"},
        {"armSkuName": "Standard_ND96isr_H200_v5"},
        {"retailPrice": 0.0},
    ],
)
def test_what_is_not_a_machine_alone_on_demand_is_left_out(
    cloud: Cloud, other: dict[str, Any]
) -> None:
    cloud.answers = {"api/retail/prices": page({}, {"retailPrice": 1.0, **other})}
    assert found_at(cloud).on_demand == {"eastus": {NAME: 98.32}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (page({"currencyCode": "EUR"}), ": item 1: in EUR, 1 Hour; allowed: USD, 1 Hour"),
        (page({"unitOfMeasure": "1/Month"}), ": item 1: in USD, 1/Month; allowed: USD, 1 Hour"),
        (page({"skuName": None}), ": item 1 has no text skuName"),
        (page({"retailPrice": None}), ": item 1: the price is None; allowed: a number, at least 0"),
        (
            page({}, {"retailPrice": 99}),
            f": item 2: {NAME} costs 98.32 and 99 in eastus; allowed: one price",
        ),
        ('{"Items": {}}', ": is not as documented; allowed: a JSON object with the list `Items`"),
        ("<html>", ": cannot be read: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_an_answer_that_is_not_as_documented_is_refused(
    cloud: Cloud, content: str, message: str
) -> None:
    cloud.answers = {"api/retail/prices": content}
    with pytest.raises(PriceListError) as caught:
        found_at(cloud)
    url, _, said = str(caught.value).partition("%27" + NAME + "%27")
    assert url.startswith(f"{cloud.url}/api/retail/prices?api-version=")
    assert said == message


@pytest.mark.parametrize(
    "following", ["http://elsewhere.example/", "file://127.0.0.1/etc/hosts", "{itself}"]
)
def test_a_next_page_elsewhere_or_a_second_time_is_refused(cloud: Cloud, following: str) -> None:
    link = following.replace("{itself}", f"{cloud.url}/api/retail/prices")
    cloud.answers = {"api/retail/prices": page({}, following=link)}
    with pytest.raises(PriceListError) as caught:
        found_at(cloud)
    assert str(caught.value) == f"{cloud.url}: the next page is {link}; allowed: a new one there"
