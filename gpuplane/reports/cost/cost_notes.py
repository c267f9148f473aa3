"""What is said above and below the tables of costs."""

from collections.abc import Iterable, Iterator, Sequence

from charts_py.platform.pool_price import HOURS_OF_A_MONTH
from gpuplane.reports.cost.budget_plan import BudgetChange, BudgetPlan
from gpuplane.reports.cost.cost_statement import UnpricedPool


def statement_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no sum has, and then why each pool has no price."""
    them = "it" if len(unpriced) == 1 else "them"
    yield from _notes(
        f"No price is known for {_places(unpriced)}; the sums leave {them} out.", unpriced
    )


def comparison_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no total has, and then why each pool had or has no price."""
    why = "as the price is not known before or after"
    yield from _notes(
        f"Left out of the totals on both sides, {why}: {_places(unpriced)}.", unpriced
    )


def budget_notes(plans: Iterable[BudgetPlan]) -> Iterator[str]:
    """Yield a sentence for each budget with more reserved than before."""
    yield from (f"{_excess(plan)}." for plan in plans if plan.above)


def budget_change_notes(changes: Iterable[BudgetChange]) -> Iterator[str]:
    """Yield a sentence for each budget that is exceeded by more than before, or is another."""
    for change in changes:
        before, after = change.before, change.after
        if after is not None and change.exceeds:
            yield f"{_excess(after)}; before, {_earlier(before)}."
        elif before is not None and after is None:
            yield f"{_budget(before)} is removed."
        elif before is not None and after is not None and before.budget != after.budget:
            yield f"{_budget(before)} becomes {after.budget.month:,.2f}."


def _budget(plan: BudgetPlan) -> str:
    budget = plan.budget
    return f"The budget of {budget.place}, {budget.month:,.2f} {budget.currency} a month,"


def _excess(plan: BudgetPlan) -> str:
    budget, least = plan.budget, "at least " if plan.without else ""
    return (
        f"Above budget: the quotas of {budget.place} reserve {least}{plan.reserved:,.2f}"
        f" {budget.currency} a month, {plan.above:,.2f} more than its budget of {budget.month:,.2f}"
    )


def _earlier(plan: BudgetPlan | None) -> str:
    if plan is None:
        return "it had no budget"
    return f"{plan.reserved:,.2f} of {plan.budget.month:,.2f}"


def _places(unpriced: Sequence[UnpricedPool]) -> str:
    return ", ".join(gap.place for gap in unpriced)


def _notes(left_out: str, unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    month = f"A month has {HOURS_OF_A_MONTH} hours."
    yield f"{month} {left_out}" if unpriced else month
    yield from (str(gap.fault) for gap in unpriced)
