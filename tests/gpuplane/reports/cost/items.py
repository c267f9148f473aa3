"""Amounts to add up and compare."""

from fractions import Fraction

from gpuplane.reports.cost.cost_item import Billed, CostItem, Figure
from gpus.purchase import Purchase

RESEARCH = Billed("lab", "research", "4711")
SEARCH = Billed("serving", "search", "4712")


def item(
    figure: Figure,
    hour: float | None,
    billed: Billed | None = None,
    place: str = "training/h100",
    purchase: Purchase = Purchase.RESERVED,
    currency: str = "USD",
) -> CostItem:
    """Return an amount of eight GPUs."""
    cluster = place.partition("/")[0]
    return CostItem(figure, cluster, place, purchase, currency, Fraction(8), hour, billed)
