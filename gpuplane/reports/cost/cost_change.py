"""What a change of cluster files costs or saves in a month."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from gpuplane.reports.cost.cost_item import CostItem, CostSum, Figure, View, add_up
from gpuplane.reports.cost.cost_statement import (
    BudgetChange,
    BudgetPlan,
    CostStatement,
    UnpricedPool,
    budget_plans,
)

_Key: TypeAlias = tuple[str, str, Figure]


@dataclass(frozen=True, slots=True)
class CostChange:
    """What one sum was in a month, and what it is then."""

    view: View
    name: str
    currency: str
    figure: Figure
    before: float | None
    """0 where there was no such thing; None where its price is not known."""
    after: float | None

    @property
    def difference(self) -> float | None:
        """What the change costs a month, or, below 0, saves."""
        if self.before is None or self.after is None:
            return None
        return round(self.after - self.before, 2)


@dataclass(frozen=True, slots=True)
class CostComparison:
    """What a change costs or saves."""

    changes: tuple[CostChange, ...]
    """The sums that change, and what all come to."""
    unpriced: tuple[UnpricedPool, ...]
    """Pools whose price is not known before or after: no sum has them on either side."""
    budgets: tuple[BudgetChange, ...] = ()
    """Budgets that change, or whose reserved part does, without those pools as well."""


def compare(before: CostStatement, after: CostStatement) -> CostComparison:
    """Return what changes from one statement to another."""
    unpriced = {gap.place: gap for side in (before, after) for gap in side.unpriced}
    changes = (each for view in View for each in _changes(before, after, view, unpriced.keys()))
    return CostComparison(
        changes=tuple(changes),
        unpriced=tuple(unpriced[place] for place in sorted(unpriced)),
        budgets=tuple(_budget_changes(before, after, unpriced.keys())),
    )


def _changes(
    before: CostStatement, after: CostStatement, view: View, without: Set[str]
) -> Iterator[CostChange]:
    left_out = frozenset[str]() if view is View.POOL else without
    old, new = (_by_key(side.items, view, left_out) for side in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        if view is View.TOTAL or _amounts(was) != _amounts(now):
            yield CostChange(view, *key, was.month if was else 0, now.month if now else 0)


def _amounts(one: CostSum | None) -> tuple[Fraction, float | None]:
    """Return what changes: GPUs also where nobody knows what they cost."""
    return (one.gpus, one.month) if one else (Fraction(), 0)


def _by_key(items: tuple[CostItem, ...], view: View, without: Set[str]) -> dict[_Key, CostSum]:
    kept = _kept(items, without)
    return {(each.name, each.currency, each.figure): each for each in add_up(kept, view)}


def _budget_changes(
    before: CostStatement, after: CostStatement, without: Set[str]
) -> Iterator[BudgetChange]:
    old, new = (_plans(side, without) for side in (before, after))
    for key in old | new:
        if (was := old.get(key)) != (now := new.get(key)):
            yield BudgetChange(was, now)


def _plans(side: CostStatement, without: Set[str]) -> dict[tuple[str, str], BudgetPlan]:
    """Return what is planned of each budget, by its place and currency."""
    plans = budget_plans(side.budgets, _kept(side.items, without))
    return {(each.budget.place, each.budget.currency): each for each in plans}


def _kept(items: tuple[CostItem, ...], without: Set[str]) -> Iterator[CostItem]:
    yield from (item for item in items if item.place not in without)
