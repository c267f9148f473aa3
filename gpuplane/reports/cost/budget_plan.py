"""Whether what quotas reserve stays within the budgets of teams."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpuplane.reports.cost.budget import Budget
from gpuplane.reports.cost.cost_item import CostItem
from gpuplane.reports.cost.cost_sum import View, add_up


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """A budget, and what the quotas of its team reserve on the cluster."""

    budget: Budget
    reserved: float | None
    """What it costs a month, in the budget's currency; None where no pool in it has a price."""
    without: tuple[str, ...] = ()
    """Pools in it that have no price, so that it is more than that."""

    @property
    def above(self) -> float | None:
        """How much more than the budget a month is reserved, 0 where it is not.

        None where that depends on prices that are not known.
        """
        if self.reserved is not None and self.reserved > self.budget.month:
            return round(self.reserved - self.budget.month, 2)
        return None if self.without else 0


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """What is planned of a budget, and what was."""

    before: BudgetPlan | None
    """None where there was no such budget."""
    after: BudgetPlan | None
    """None where there is none any more."""

    @property
    def exceeds(self) -> bool:
        """Whether more than the budget is reserved, and by more than before."""
        return _above(self.after) > _above(self.before)


def _above(plan: BudgetPlan | None) -> float:
    return (plan.above or 0) if plan else 0


def budget_plans(budgets: Iterable[Budget], items: Iterable[CostItem]) -> Iterator[BudgetPlan]:
    """Yield what is planned of each budget, by items that may be of any figure and team."""
    reserved: dict[tuple[str, str], list[CostItem]] = {}
    for item in items:
        if item.billed is not None:
            reserved.setdefault((item.cluster, item.billed.team), []).append(item)
    for budget in budgets:
        of_team = reserved.get((budget.cluster, budget.team), [])
        total = next(iter(add_up(of_team, View.TEAM)), None)
        yield BudgetPlan(budget, total.month, total.without) if total else BudgetPlan(budget, 0)
