"""The prices of EC2, from the price list file that AWS publishes for each region.

https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html
"""

import csv
import datetime as dt
from collections.abc import Collection, Iterator
from io import TextIOWrapper
from itertools import islice
from operator import itemgetter

from gpuplane.price_lists.published import Hours, PriceListError, add_hour, opened, read_object
from gpus.purchase import PriceList

AWS = "https://pricing.us-east-1.amazonaws.com"
_METADATA_ROWS = 5
_ON_DEMAND = {
    "TermType": "OnDemand",
    "Location Type": "AWS Region",
    "Operating System": "Linux",
    "Tenancy": "Shared",
    "CapacityStatus": "Used",
    "Pre Installed S/W": "NA",
}
"""The cells of a row with the price of a machine alone."""
_TERMS = ("Instance Type", "PricePerUnit", "Currency", "Unit")


def ec2_prices(types: Collection[str], regions: Collection[str], base: str = AWS) -> PriceList:
    """Return the prices as of the day of the oldest file; there are none of China."""
    offers = f"{base}/offers/v1.0/aws/AmazonEC2/current"
    published = read_object(f"{offers}/region_index.json", "regions", dict)["regions"]
    known = sorted(set(published) & set(regions))
    if not known:
        raise PriceListError(f"{offers}/region_index.json: `regions` names no known region")
    hours: Hours = {}
    urls = {region: f"{offers}/{region}/index.csv" for region in known}
    return PriceList(min(_add(hours, region, types, urls[region]) for region in known), hours)


def _add(hours: Hours, region: str, types: Collection[str], url: str) -> dt.date:
    with opened(url) as answer:
        rows = csv.reader(TextIOWrapper(answer, encoding="utf-8", newline=""))
        metadata = {row[0]: row[1] for row in islice(rows, _METADATA_ROWS) if len(row) > 1}
        day = dt.datetime.fromisoformat(metadata.get("Publication Date", "no day")).date()
        for line, (name, hour, *terms) in _on_demand(rows, url):
            if name in types and terms != ["USD", "Hrs"]:
                raise PriceListError(f"{url}:{line}: a price in {terms}; allowed: USD, Hrs")
            if name in types:
                add_hour(hours, region, name, hour, f"{url}:{line}")
    return day


def _on_demand(rows: Iterator[list[str]], url: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the terms of each machine; a file has millions of rows."""
    columns = next(rows, [])
    missing = [name for name in (*_ON_DEMAND, *_TERMS) if name not in columns]
    if missing:
        raise PriceListError(f"{url}:{_METADATA_ROWS + 1}: has no column {', '.join(missing)}")
    conditions = itemgetter(*map(columns.index, _ON_DEMAND))
    terms = itemgetter(*map(columns.index, _TERMS))
    wanted = tuple(_ON_DEMAND.values())
    for line, row in enumerate(rows, _METADATA_ROWS + 2):
        if len(row) != len(columns):
            raise PriceListError(f"{url}:{line}: {len(row)} cells; allowed: {len(columns)}")
        if conditions(row) == wanted:
            yield line, terms(row)
