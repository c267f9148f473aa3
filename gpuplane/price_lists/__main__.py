"""Read listed prices anew, in the root of gpuplane's own repository."""

import argparse
import datetime as dt
import json
import re
from collections.abc import Sequence
from pathlib import Path

import typer

from charts_py.providers.registry import PROVIDERS
from gpuplane.price_lists.azure import AZURE, azure_prices
from gpuplane.price_lists.ec2 import AWS, ec2_prices
from gpuplane.price_lists.published import PriceListError
from gpus.catalog import load_catalog
from gpus.provider import Provider
from gpus.purchase import PriceList

_SELLERS = {Provider.EKS: ("EC2", AWS), Provider.AKS: ("Azure", AZURE)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m gpuplane.price_lists", description=__doc__)
    parser.add_argument("provider", choices=[each.value for each in _SELLERS])
    parser.add_argument("--base", help="an address to read in place of the cloud's")
    chosen = parser.parse_args(arguments)
    provider = Provider(chosen.provider)
    table = Path("gpus/tables", f"prices_{provider}.toml")
    if not table.is_file():
        parser.error(f"{table}: no such file; allowed: the root of gpuplane's own repository")
    try:
        prices = read_prices(provider, chosen.base or _SELLERS[provider][1])
    except PriceListError as error:
        parser.error(str(error))
    table.write_text(table_text(provider, prices), encoding="utf-8")
    count = sum(map(len, prices.on_demand.values()))
    typer.echo(f"{table}: {count} prices of {len(prices.on_demand)} regions as of {prices.as_of}")


def read_prices(provider: Provider, base: str) -> PriceList:
    """Return the prices of what the tables know; raise PriceListError."""
    types = load_catalog().instance_types[provider].keys()
    regions = PROVIDERS[provider].regions.names
    if provider is Provider.EKS:
        prices = ec2_prices(types, regions, base)
    else:
        prices = azure_prices(types, regions, dt.datetime.now(dt.UTC).date(), base)
    if not prices.on_demand:
        raise PriceListError(f"{base}: has no price of any known instance type")
    return prices


def table_text(provider: Provider, prices: PriceList) -> str:
    """Return a table of `gpus/tables`, instance types in the order of the catalog."""
    seller, address = _SELLERS[provider]
    lines = [
        f"# What {seller} asks on demand for a machine-hour with Linux, in US dollars, before any",
        f"# discount. Source: {address},",
        f"# by `python -m gpuplane.price_lists {provider}`.",
        f"\nas_of = {prices.as_of}",
    ]
    for region in sorted(prices.on_demand):
        hours = prices.on_demand[region]
        known = [name for name in load_catalog().instance_types[provider] if name in hours]
        lines += [f"\n[on-demand.{region}]", *(f"{_key(name)} = {hours[name]}" for name in known)]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name)


if __name__ == "__main__":
    main()
