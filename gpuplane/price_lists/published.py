"""What a cloud publishes of its prices, over HTTP."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from math import isfinite
from typing import Any, BinaryIO, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

Hours: TypeAlias = dict[str, dict[str, float]]
"""A machine-hour, by region and instance type."""


class PriceListError(Exception):
    """A price list that cannot be read or is not as documented; the message has its address."""


@contextmanager
def opened(url: str) -> Iterator[BinaryIO]:
    """Open an address; raise PriceListError, also where what is read there cannot be decoded."""
    try:
        request = Request(url, headers={"User-Agent": "gpuplane"})  # noqa: S310 # by maintainers
        with urlopen(request, timeout=60) as answer:  # noqa: S310 # likewise
            yield answer
    except (OSError, HTTPException, ValueError, csv.Error) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise PriceListError(f"{url}: cannot be read: {error}") from error


def read_object(url: str, member: str, kind: type) -> dict[str, Any]:
    """Return a JSON object that has this member; raise PriceListError."""
    with opened(url) as answer:
        found = json.load(answer)
    if not isinstance(found, dict) or not isinstance(found.get(member), kind):
        allowed = f"a JSON object with the {kind.__name__} `{member}`"
        raise PriceListError(f"{url}: is not as documented; allowed: {allowed}")
    return found


def add_hour(hours: Hours, region: str, name: str, told: object, place: str) -> None:
    """Add a price; one of 0 is of a machine that is not sold on demand."""
    try:
        hour = float(str(told))
    except ValueError:
        hour = float("nan")
    if not isfinite(hour) or hour < 0:
        raise PriceListError(f"{place}: the price is {told!r}; allowed: a number, at least 0")
    known = hours.setdefault(region, {}).setdefault(name, hour) if hour else hour
    if known != hour:
        both = f"{known:g} and {hour:g}"
        raise PriceListError(f"{place}: {name} costs {both} in {region}; allowed: one price")
