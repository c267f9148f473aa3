"""The price of a node of a pool for an hour, and its origin."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Electricity, OwnedMachine, Pool
from charts_py.platform.provider_facts import NodeHardware
from gpus.purchase import BILLED_AS_LISTED, LIST_CURRENCY, load_price_list

_HOURS_OF_A_YEAR = 8760
HOURS_OF_A_MONTH = _HOURS_OF_A_YEAR // 12
"""730: every month is a twelfth of a year, so that they compare."""


class PriceOrigin(StrEnum):
    """The origins of a price; the first that there is decides."""

    POOL = "price"
    """`pools.NAME.price`."""
    OWNED = "owned"
    """`pools.NAME.owned`."""
    INSTANCE_TYPE = "prices"
    """`cost.prices`."""
    LISTED = "listed"
    """The cloud's price list, less `cost.discounts`."""


@dataclass(frozen=True, slots=True)
class Price:
    node_hour: float
    """One node for an hour, in the currency."""
    gpus: int
    """GPUs of the node."""
    currency: str
    """ISO 4217."""
    origin: PriceOrigin
    as_of: dt.date | None = None
    """The day of the price list; None where the cluster file states the price."""

    @property
    def gpu_hour(self) -> float:
        """One GPU for an hour, with its part of the node's CPUs, memory and network."""
        return self.node_hour / self.gpus


@dataclass(frozen=True, slots=True)
class NoPrice:
    """Why it is not known what a node costs."""

    reason: str
    """A phrase that ends a sentence."""
    remedy: str
    """What would state it: the fields of the cluster file, any one of which is enough."""


def pool_price(pool: Pool, hardware: NodeHardware, cluster: Cluster) -> Price | NoPrice:
    """Return what a node of the pool costs: as the file states it, else as the cloud lists it."""
    gpus, currency = hardware.gpus, cluster.cost.currency
    if pool.price is not None:
        return Price(pool.price, gpus, currency, PriceOrigin.POOL)
    if pool.owned is not None:
        hour = owned_hour(pool.owned, cluster.cost.electricity)
        return Price(hour, gpus, currency, PriceOrigin.OWNED)
    if pool.instance_type is None:
        return NoPrice("machines of your own have no listed price", "price, or owned")
    if hardware.larger:
        return NoPrice("its nodes may be of several instance types", "price")
    stated = cluster.cost.prices.get(pool.instance_type, {}).get(pool.purchase)
    if stated is not None:
        return Price(stated, gpus, currency, PriceOrigin.INSTANCE_TYPE)
    return _listed(pool.instance_type, pool, gpus, cluster)


def owned_hour(machine: OwnedMachine, electricity: Electricity | None) -> float:
    """Return what an owned machine costs an hour, whether it is used or not."""
    written_off = machine.capex * (1 - machine.residual) / machine.years
    power = machine.kilowatts * electricity.pue * electricity.kilowatt_hour if electricity else 0
    return (written_off + machine.opex) / _HOURS_OF_A_YEAR + power


def _listed(instance_type: str, pool: Pool, gpus: int, cluster: Cluster) -> Price | NoPrice:
    discount = cluster.cost.discounts.get(pool.purchase)
    if discount is None and pool.purchase not in BILLED_AS_LISTED:
        reason = f"no price of {pool.purchase} nodes is listed, since it varies"
        return NoPrice(reason, "price, cost.prices, or cost.discounts")
    cost = cluster.cost
    rate = 1 if cost.currency == LIST_CURRENCY else cost.usd_rate
    if rate is None:
        reason = f"listed prices are in {LIST_CURRENCY}, and cost.usdRate is not set"
        return NoPrice(reason, "price, cost.prices, or cost.usdRate")
    prices = load_price_list(cluster.provider)
    hour = prices.machine_hour(cluster.region, instance_type) if prices else None
    if prices is None or hour is None:
        reason = f"no price of {instance_type} in {cluster.region} is listed"
        return NoPrice(reason, "price, or cost.prices")
    hour *= rate * (1 - (discount or 0))
    day = prices.day(cluster.region)
    return Price(hour, gpus, cluster.cost.currency, PriceOrigin.LISTED, day)
