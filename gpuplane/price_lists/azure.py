"""The prices of Azure's virtual machines, from its Retail Prices API.

https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices
"""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from gpuplane.price_lists.published import Hours, PriceListError, add_hour, read_object
from gpus.purchase import PriceList

AZURE = "https://prices.azure.com"
_API = "api/retail/prices?api-version=2023-01-01-preview&meterRegion='primary'&$filter="
_MACHINES = "serviceName eq 'Virtual Machines' and priceType eq 'Consumption'"
_TEXTS = ("armRegionName", "armSkuName", "currencyCode", "productName", "skuName", "unitOfMeasure")
_OTHERS = ("Windows", "Cloud Services", "CloudServices", "Spot", "Low Priority")


def azure_prices(
    types: Collection[str], regions: Collection[str], today: dt.date, base: str = AZURE
) -> PriceList:
    """Return the prices as of today, since the API names no day."""
    hours: Hours = {}
    for name in types:
        for place, item in _items(base, name):
            region, sku, currency, product, kind, unit = (item[each] for each in _TEXTS)
            bought = sku == name and not any(each in f"{product} {kind}" for each in _OTHERS)
            if not bought or region not in regions:
                continue
            if (currency, unit) != ("USD", "1 Hour"):
                raise PriceListError(f"{place}: in {currency}, {unit}; allowed: USD, 1 Hour")
            add_hour(hours, region, name, item.get("retailPrice"), place)
    return PriceList(today, hours)


def _items(base: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each price of a machine on all pages, and its place."""
    asked = f"{_MACHINES} and armSkuName eq '{name}'"
    link = f"{base}/{_API}{quote(asked)}"
    seen: set[str] = set()
    while link:
        if link in seen or _host(link) != _host(base):
            raise PriceListError(f"{base}: the next page is {link}; allowed: a new one there")
        seen.add(link)
        page = read_object(link, "Items", list)
        for number, item in enumerate(page["Items"], 1):
            place = f"{link}: item {number}"
            told = item if isinstance(item, dict) else {}
            if missing := [each for each in _TEXTS if not isinstance(told.get(each), str)]:
                raise PriceListError(f"{place} has no text {', '.join(missing)}")
            yield place, item
        link = str(page.get("NextPageLink") or "")


def _host(url: str) -> tuple[str, str | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname
