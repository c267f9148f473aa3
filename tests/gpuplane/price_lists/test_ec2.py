import csv
import datetime as dt
import io
import json

import pytest

from gpuplane.price_lists.ec2 import ec2_prices
from gpuplane.price_lists.published import PriceListError
from gpus.purchase import PriceList
from tests.gpuplane.price_lists.cloud import Cloud

TYPES = ("p5.48xlarge", "g6.xlarge")
REGIONS = ("eu-north-1", "us-east-1", "cn-north-1")
ROW = {
    "SKU": "ABC",
    "TermType": "OnDemand",
    "Unit": "Hrs",
    "PricePerUnit": "55.0400000000",
    "Currency": "USD",
    "Location Type": "AWS Region",
    "Instance Type": "p5.48xlarge",
    "Tenancy": "Shared",
    "Operating System": "Linux",
    "CapacityStatus": "Used",
    "Pre Installed S/W": "NA",
}
METADATA = (
    ("FormatVersion", "v1.0"),
    ("Disclaimer", "This pricing list is for informational purposes only."),
    ("Publication Date", "2026-11-20T22:15:07Z"),
    ("Version", "20261120221507"),
    ("OfferCode", "AmazonEC2"),
)


def price_file(*changes: dict[str, str], without: str = "", day: str = "2026-11-20") -> str:
    columns = [name for name in ROW if name != without]
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows((name, value.replace("2026-11-20", day)) for name, value in METADATA)
    writer.writerow(columns)
    writer.writerows([{**ROW, **change}[name] for name in columns] for change in changes)
    return text.getvalue()


def serve(cloud: Cloud, *files: str) -> None:
    names = ("us-east-1", "eu-north-1")[: len(files)]
    index = json.dumps({"regions": {name: {"regionCode": name} for name in names}})
    cloud.answers = {"region_index.json": index}
    cloud.answers |= {f"{name}/index.csv": file for name, file in zip(names, files, strict=True)}


def test_prices_are_those_of_known_types_in_each_known_region_that_is_published(
    cloud: Cloud,
) -> None:
    here = price_file({}, {"Instance Type": "m5.large", "PricePerUnit": "0.096"})
    there = price_file(
        {"PricePerUnit": "58.8928"}, {"Instance Type": "g6.xlarge"}, day="2026-11-18"
    )
    serve(cloud, here, there)
    hours = {
        "eu-north-1": {"p5.48xlarge": 58.8928, "g6.xlarge": 55.04},
        "us-east-1": {"p5.48xlarge": 55.04},
    }
    assert ec2_prices(TYPES, REGIONS, cloud.url) == PriceList(dt.date(2026, 11, 18), hours)


@pytest.mark.parametrize(
    "other",
    [
        {"TermType": "Reserved"},
        {"Location Type": "AWS Local Zone"},
        {"Operating System": "Windows"},
        {"Tenancy": "Dedicated"},
        {"CapacityStatus": "UnusedCapacityReservation"},
        {"Pre Installed S/W": "SQL Ent"},
        {"PricePerUnit": "0.0000000000"},
    ],
)
def test_what_is_not_a_machine_alone_on_demand_is_left_out(
    cloud: Cloud, other: dict[str, str]
) -> None:
    serve(cloud, price_file({}, {"PricePerUnit": "99", **other}))
    found = ec2_prices(TYPES, REGIONS, cloud.url)
    assert found.on_demand == {"us-east-1": {"p5.48xlarge": 55.04}}


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (price_file({}, without="Tenancy"), ":6: has no column Tenancy"),
        (price_file({"Currency": "CNY"}), ":7: a price in ['CNY', 'Hrs']; allowed: USD, Hrs"),
        (price_file({"Unit": "Mos"}), ":7: a price in ['USD', 'Mos']; allowed: USD, Hrs"),
        (
            price_file({"PricePerUnit": "free"}),
            ":7: the price is 'free'; allowed: a number, at least 0",
        ),
        (
            price_file({"PricePerUnit": "nan"}),
            ":7: the price is 'nan'; allowed: a number, at least 0",
        ),
        (
            price_file({"PricePerUnit": "-1"}),
            ":7: the price is '-1'; allowed: a number, at least 0",
        ),
        (
            price_file({}, {"PricePerUnit": "56"}),
            ":8: p5.48xlarge costs 55.04 and 56 in us-east-1; allowed: one price",
        ),
        (price_file({}) + '"half","a"\n', ":8: 2 cells; allowed: 11"),
        (
            price_file({}, day="soon"),
            ": cannot be read: Invalid isoformat string: 'soonT22:15:07Z'",
        ),
        (
            price_file({}) + "a" * 200_000,
            ": cannot be read: field larger than field limit (131072)",
        ),
        ("", ": cannot be read: Invalid isoformat string: 'no day'"),
    ],
)
def test_a_file_that_is_not_as_documented_is_refused(cloud: Cloud, file: str, message: str) -> None:
    serve(cloud, file)
    with pytest.raises(PriceListError) as caught:
        ec2_prices(TYPES, REGIONS, cloud.url)
    url = f"{cloud.url}/offers/v1.0/aws/AmazonEC2/current/us-east-1/index.csv"
    assert str(caught.value) == url + message


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("[]", "is not as documented; allowed: a JSON object with the dict `regions`"),
        ('{"regions": []}', "is not as documented; allowed: a JSON object with the dict `regions`"),
        ("<", "cannot be read: Expecting value: line 1 column 1 (char 0)"),
        (None, "cannot be read: HTTP Error 404: Not Found"),
        ('{"regions": {"mars-1": {}}}', "`regions` names no known region"),
    ],
)
def test_an_index_that_is_not_as_documented_is_refused(
    cloud: Cloud, index: str | None, message: str
) -> None:
    cloud.answers = {} if index is None else {"region_index.json": index}
    with pytest.raises(PriceListError) as caught:
        ec2_prices(TYPES, REGIONS, cloud.url)
    offers = f"{cloud.url}/offers/v1.0/aws/AmazonEC2/current"
    assert str(caught.value) == f"{offers}/region_index.json: {message}"
