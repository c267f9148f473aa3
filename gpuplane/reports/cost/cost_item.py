"""One amount of one pool: the unit that all sums of cost are of."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from charts_py.platform.platform import PlatformPool
from charts_py.platform.pool_price import Price
from gpus.purchase import Purchase


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
        """What people read."""
        names = {Figure.AT_MIN: "at min", Figure.AT_MAX: "at max", Figure.RESERVED: "reserved"}
        return names[self]


@dataclass(frozen=True, slots=True)
class Billed:
    """Who an amount is billed to."""

    namespace: str
    team: str
    cost_center: str


@dataclass(frozen=True, slots=True)
class CostItem:
    """One amount of one pool."""

    figure: Figure
    cluster: str
    place: str
    """Cluster and pool."""
    purchase: Purchase
    currency: str
    gpus: Fraction
    hour: float | None
    """What it costs an hour, in the currency; None where the price is not known."""
    billed: Billed | None = None
    """None where nobody in particular pays."""


@dataclass(frozen=True, slots=True)
class PricedPool:
    """A pool of a cluster and what its nodes cost, if that is known."""

    cluster: str
    pool: PlatformPool
    currency: str
    price: Price | None

    @property
    def place(self) -> str:
        """Cluster and pool, as in `training/h100`."""
        return f"{self.cluster}/{self.pool.name}"

    def item(self, figure: Figure, gpus: Fraction, billed: Billed | None = None) -> CostItem:
        """Return what so many GPUs of the pool cost."""
        return CostItem(
            figure=figure,
            cluster=self.cluster,
            place=self.place,
            purchase=self.pool.spec.purchase,
            currency=self.currency,
            gpus=gpus,
            hour=self._hour(gpus),
            billed=billed,
        )

    def _hour(self, gpus: Fraction) -> float | None:
        if not gpus:
            return 0
        return float(gpus) * self.price.gpu_hour if self.price else None
