"""One amount of one pool: the unit that all sums of cost are of."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from charts_py.platform.platform import PlatformPool
from charts_py.platform.pool_price import HOURS_OF_A_MONTH, Price
from gpus.purchase import Purchase


class View(StrEnum):
    """What amounts are added up by."""

    POOL = "pool"
    CLUSTER = "cluster"
    PURCHASE = "purchase"
    TEAM = "team"
    COST_CENTER = "costCenter"
    NAMESPACE = "namespace"
    TOTAL = "total"

    @property
    def words(self) -> str:
        return "cost center" if self is View.COST_CENTER else self.value


class Figure(StrEnum):
    """What an amount is of. Amounts of different figures are never added up."""

    AT_MIN = "atMin"
    """The nodes that an autoscaler leaves running."""
    AT_MAX = "atMax"
    """The nodes that it may start."""
    RESERVED = "reserved"
    """What quotas allow teams, used or not."""

    @property
    def words(self) -> str:
        return {"atMin": "at min", "atMax": "at max", "reserved": "reserved"}[self]


@dataclass(frozen=True, slots=True)
class CostSum:
    """What amounts of one name, currency and figure add up to."""

    view: View
    name: str
    currency: str
    figure: Figure
    gpus: Fraction
    """GPUs, including those of pools without a price."""
    hour: float | None
    """None where no pool in it has a price."""
    month: float | None
    without: tuple[str, ...]
    """Pools in it that have no price, so that it is more than that."""


@dataclass(frozen=True, slots=True)
class Billed:
    namespace: str
    team: str
    cost_center: str


@dataclass(frozen=True, slots=True)
class CostItem:
    figure: Figure
    cluster: str
    place: str
    purchase: Purchase
    currency: str
    gpus: Fraction
    hour: float | None
    """What it costs an hour, in the currency; None where the price is not known."""
    billed: Billed | None = None
    """None where nobody in particular pays."""

    @property
    def month(self) -> float | None:
        return None if self.hour is None else month_of(self.hour)


@dataclass(frozen=True, slots=True)
class PricedPool:
    cluster: str
    pool: PlatformPool
    currency: str
    price: Price | None

    @property
    def place(self) -> str:
        """Cluster and pool, as in `training/h100`."""
        return f"{self.cluster}/{self.pool.name}"

    def item(self, figure: Figure, gpus: Fraction, billed: Billed | None = None) -> CostItem:
        hour = float(gpus) * self.price.gpu_hour if self.price else None
        return CostItem(
            figure=figure,
            cluster=self.cluster,
            place=self.place,
            purchase=self.pool.spec.purchase,
            currency=self.currency,
            gpus=gpus,
            hour=hour if gpus else 0,
            billed=billed,
        )


def month_of(hour: float) -> float:
    """Return the amount of a month to the cent, of which sums are: all views agree then."""
    return round(hour * HOURS_OF_A_MONTH, 2)


def add_up(items: Iterable[CostItem], view: View) -> tuple[CostSum, ...]:
    """Return the sums of a view by name, currency and figure, without items that have no name."""
    groups: dict[tuple[str, str, Figure], list[CostItem]] = {}
    for item in items:
        if (name := _name(item, view)) is not None:
            groups.setdefault((name, item.currency, item.figure), []).append(item)
    order = list(Figure)
    keys = sorted(groups, key=lambda key: (*key[:2], order.index(key[2])))
    return tuple(_sum(view, *key, groups[key]) for key in keys)


def sums_by_name(
    items: Iterable[CostItem], view: View
) -> dict[tuple[str, str], dict[Figure, CostSum]]:
    """Return the sums of a view by name and currency."""
    found: dict[tuple[str, str], dict[Figure, CostSum]] = {}
    for one in add_up(items, view):
        found.setdefault((one.name, one.currency), {})[one.figure] = one
    return found


def _name(item: CostItem, view: View) -> str | None:
    """Return what an item goes by in a view; None where it goes by nothing."""
    names = {
        View.POOL: item.place,
        View.CLUSTER: item.cluster,
        View.PURCHASE: item.purchase.value,
        View.TOTAL: View.TOTAL.value,
    }
    if item.billed is not None:
        names[View.TEAM] = item.billed.team
        names[View.COST_CENTER] = item.billed.cost_center
        names[View.NAMESPACE] = f"{item.cluster}/{item.billed.namespace}"
    return names.get(view)


def _sum(view: View, name: str, currency: str, figure: Figure, items: list[CostItem]) -> CostSum:
    hours = [item.hour for item in items if item.hour is not None]
    months = [item.month for item in items if item.month is not None]
    return CostSum(
        view=view,
        name=name,
        currency=currency,
        figure=figure,
        gpus=sum((item.gpus for item in items), Fraction()),
        hour=sum(hours) if hours else None,
        month=round(sum(months), 2) if months else None,
        without=tuple(sorted({item.place for item in items if item.hour is None})),
    )
