"""What nodes cost: prices, discounts, and machines that are owned."""

from typing import Annotated, TypeAlias

from pydantic import Field

from charts_py.cluster_file.bounds import MAX_EXCHANGE_RATE, MAX_KILOWATTS, MAX_PRICE
from charts_py.cluster_file.strict_model import StrictModel
from gpus.purchase import LIST_CURRENCY, Purchase

Amount: TypeAlias = Annotated[float, Field(ge=0, le=MAX_PRICE)]
Part: TypeAlias = Annotated[float, Field(ge=0, le=1)]


class OwnedMachine(StrictModel):
    """What a machine costs that is bought rather than rented."""

    capex: Amount
    """What it costs to buy one node, its part of switches, racks and cables included."""
    years: float = Field(ge=1, le=20, examples=[4])
    """Over how many years it is written off."""
    residual: Part = 0
    """What it is worth then, as a part of `capex`."""
    opex: Amount = 0
    """What one node costs a year besides electricity: space, support, staff."""
    kilowatts: float = Field(default=0, ge=0, le=MAX_KILOWATTS, examples=[10.2])
    """Electric power that one node draws on average, cooling left out; needs `cost.electricity`."""


class Electricity(StrictModel):
    """What the power of machines costs."""

    kilowatt_hour: Amount
    """Price of a kilowatt-hour."""
    pue: float = Field(ge=1, le=5, examples=[1.3])
    """Power usage effectiveness: what the data centre draws, cooling included, over what its
    machines do."""


class Cost(StrictModel):
    """What nodes cost (docs/cost.md)."""

    currency: str = Field(default=LIST_CURRENCY, pattern="^[A-Z]{3}$", examples=["EUR"])
    """Currency of every amount in the file (ISO 4217)."""
    usd_rate: float | None = Field(default=None, gt=0, le=MAX_EXCHANGE_RATE, examples=[0.92])
    """What one US dollar is in `currency`. Listed prices are in US dollars; with another currency
    and no rate, none of them is used."""
    discounts: dict[Purchase, Part] = Field(default_factory=dict, examples=[{"reserved": 0.4}])
    """What is taken off listed prices, by purchase, as a part of them: `0.4` for 40 %. With one for
    `spot` or `capacity-block`, whose prices are not listed, that on demand stands for theirs."""
    prices: dict[str, dict[Purchase, Amount]] = Field(
        default_factory=dict, examples=[{"p5.48xlarge": {"reserved": 31.5}}]
    )
    """Your own prices of a node-hour, by instance type and purchase, in place of listed ones."""
    electricity: Electricity | None = None
    """What the power of `owned` machines costs."""
