"""Writes what something costs more or less a month."""

from collections.abc import Mapping

from gpuplane.reports.cost.cost_item import Figure


def cost_amount(currency: str, by_figure: Mapping[Figure, float]) -> str:
    kept, most = (_difference(by_figure[each]) for each in (Figure.AT_MIN, Figure.AT_MAX))
    if kept == most:
        return f"{kept} {currency} a month"
    return f"{kept} {currency} a month with the fewest nodes, {most} with the most"


def _difference(amount: float) -> str:
    """Return an amount in whole units, or to the cent where that would be none."""
    # The sign of a sum of floats that comes to nothing is not told.
    cents = round(amount, 2) + 0.0
    return f"{cents:+,.0f}" if abs(cents) >= 1 or not cents else f"{cents:+,.2f}"
