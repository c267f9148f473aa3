"""Figures for people: 41.1 GPUs, $257k."""

from fractions import Fraction

from gpuplane.fleet_report.pool_use import Costs
from gpuplane.plan.rollout import exactly

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_THOUSAND, _MILLION = 1e3, 1e6
_FEW = 10
NO_PRICE = "no price"


def gpus_words(gpus: Fraction) -> str:
    """Return a count to a tenth, which a share of a GPU makes fractional."""
    return exactly(float(gpus)).words()


def counted_gpus(gpus: Fraction) -> str:
    return exactly(float(gpus)).words("GPUs")


def amount_words(currency: str, amount: float) -> str:
    sign = _SIGNS.get(currency, f"{currency} ")
    size = abs(amount)
    # A size is what it is rounded to.
    if size >= _MILLION - _THOUSAND / 2:
        return f"{sign}{amount / _MILLION:,.2f}M"
    if size >= _FEW * _THOUSAND - _THOUSAND / 20:
        return f"{sign}{amount / _THOUSAND:,.0f}k"
    if size >= _THOUSAND - 1 / 2:
        return f"{sign}{amount / _THOUSAND:,.1f}k"
    return f"{sign}{amount:,.0f}"


def known_words(costs: Costs) -> str:
    if not costs.amounts:
        return NO_PRICE if costs.without else "0"
    return " + ".join(amount_words(*each) for each in costs.amounts)


def gap_words(costs: Costs) -> str:
    """Return what an amount leaves out; empty where it has everything, and where it has nothing."""
    if not (costs.without and costs.amounts):
        return ""
    return f"without {counted_gpus(costs.without)} that have no price"
