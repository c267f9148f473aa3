"""Writes what nodes cost more or less after a change."""

from collections import defaultdict
from collections.abc import Iterable

from gpuplane.plan.cost_amount import cost_amount
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.restart_words import MAX_NAMED
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_statement import CostChange, CostComparison

NOT_KNOWN = "what it costs is not known"


def cost_clause(plans: tuple[ClusterPlan, ...]) -> str:
    if any(each.cost is None for each in plans if not each.let_go):
        return NOT_KNOWN
    return comparison_clause(comparisons(plans))


def comparison_clause(found: Iterable[CostComparison]) -> str:
    found = tuple(found)
    units = [*dict.fromkeys(filter(None, map(_new_currency, found)))]
    unknown = unpriced(found)
    known = [*units, *costs(found)]
    clauses = [*known, *(_unpriced_words(pool, found) for pool in unknown)]
    if len(unknown) > MAX_NAMED:
        clauses = [*known, f"what {len(unknown)} pools cost is not known"]
    return "; ".join(clauses) or "what nodes cost stays the same"


def _new_currency(found: CostComparison) -> str:
    """Say that a cluster has another currency, where it has; its amounts cannot be compared."""
    totals = [each for each in _of_nodes([found]) if each.view is View.TOTAL]
    old = {each.currency for each in totals if each.before}
    new = {each.currency for each in totals if each.after}
    if not old or not new or old == new:
        return ""
    return f"costs are told in {min(new)} in place of {min(old)}"


def comparisons(plans: Iterable[ClusterPlan]) -> tuple[CostComparison, ...]:
    return tuple(each.cost for each in plans if each.cost)


def unpriced(found: Iterable[CostComparison]) -> list[str]:
    pools = (each for each in _of_nodes(found) if each.view is View.POOL)
    return sorted({each.name for each in pools if each.difference is None})


def _unpriced_words(pool: str, found: Iterable[CostComparison]) -> str:
    """Say what a pool costs before or after, where one of both is known."""
    changes = [each for each in _of_nodes(found) if (each.view, each.name) == (View.POOL, pool)]
    if now := _range([each.before for each in changes], changes[0].currency):
        return f"what {pool} will cost in place of {now} is not known"
    if then := _range([each.after for each in changes], changes[0].currency):
        return f"{pool} will cost {then}, and what it costs so far is not known"
    return f"what {pool} costs is not known"


def _range(amounts: Iterable[float | None], currency: str) -> str:
    known = sorted({round(each) for each in amounts if each is not None})
    if not any(known):
        return ""
    return f"{' to '.join(f'{each:,}' for each in known)} {currency} a month"


def _of_nodes(found: Iterable[CostComparison]) -> list[CostChange]:
    changes = (change for each in found for change in each.changes)
    return [each for each in changes if each.figure in (Figure.AT_MIN, Figure.AT_MAX)]


def costs(found: Iterable[CostComparison]) -> list[str]:
    """Return what nodes cost more or less a month, by currency; nothing where that stays."""
    total = defaultdict[str, dict[Figure, float]](lambda: dict.fromkeys(Figure, 0.0))
    compared = [each for each in found if not _new_currency(each)]
    for each in _of_nodes(compared):
        if each.view is View.TOTAL and each.difference:
            total[each.currency][each.figure] += each.difference
    return [cost_amount(currency, of) for currency, of in sorted(total.items())]
