"""Costs as tables for people, however these are printed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import PurePath
from typing import Any, TypeAlias

from charts_py.platform.pool_price import HOURS_OF_A_MONTH
from gpuplane.alike_clusters import names_of
from gpuplane.json_output import attributes
from gpuplane.reports.cost.cost_item import CostSum, Figure, PricedPool, View, add_up, sums_by_name
from gpuplane.reports.cost.cost_statement import (
    BudgetChange,
    BudgetPlan,
    CostChange,
    CostComparison,
    CostStatement,
    UnpricedPool,
    number_of,
)
from gpuplane.tables import Row, Table

Fields: TypeAlias = dict[str, Any]
_DECIMALS = 4
"""Decimals of prices of an hour, and of GPUs."""
UNKNOWN = "?"
"""Stands for what is not known."""
_Sums: TypeAlias = Iterable[tuple[tuple[str, str], Mapping[Figure, CostSum]]]
"""Sums by name and currency, those of the total last."""


def statement_tables(statement: CostStatement) -> Iterator[Table]:
    headers = ("Pool", "Purchase", "Price", "Currency", "Nodes", "Node-hour", "GPU-hour")
    yield Table(headers, tuple(map(_price_row, statement.pools)), words=4)
    for view in (View.POOL, View.CLUSTER, View.PURCHASE):
        yield _node_table(view, _by_name(statement, view))
    for view in (View.TEAM, View.COST_CENTER, View.NAMESPACE):
        yield _quota_table(view, _by_name(statement, view))
    if statement.budgets:
        budget_headers = ("Budget of", "Currency", "A month", "Reserved", "Above budget")
        yield Table(budget_headers, tuple(map(_budget_row, statement.plans)), words=2)


def change_table(changes: Iterable[CostChange]) -> Table:
    headers = ("By", "Name", "A month", "Currency", "Before", "After", "Difference")
    return Table(headers, tuple(map(_change_row, changes)), words=4)


def _price_row(priced: PricedPool) -> Row:
    pool, price = priced.pool, priced.price
    return (
        priced.place,
        pool.spec.purchase.value,
        UNKNOWN if price is None else f"{price.origin.value} {price.as_of or ''}".rstrip(),
        priced.currency,
        f"{pool.min_nodes} to {pool.spec.nodes.max}",
        amount(price.node_hour if price else None),
        amount(price.gpu_hour if price else None),
    )


def _by_name(statement: CostStatement, view: View) -> _Sums:
    views = (view, View.TOTAL)
    return chain.from_iterable(sums_by_name(statement.items, each).items() for each in views)


def _node_table(view: View, by_name: _Sums) -> Table:
    headers = (
        view.words.capitalize(),
        "Currency",
        *(f"Hour {figure.words}" for figure in Figure),
        *(f"Month {figure.words}" for figure in Figure),
    )
    rows = ((*key, *_amounts([sums.get(figure) for figure in Figure])) for key, sums in by_name)
    return Table(headers, tuple(rows), words=2)


def _quota_table(view: View, by_name: _Sums) -> Table:
    headers = (view.words.capitalize(), "Currency", "GPUs reserved", "Hour", "Month")
    reserved = [sums[Figure.RESERVED] for _, sums in by_name if Figure.RESERVED in sums]
    rows = ((one.name, one.currency, number_of(one.gpus), *_amounts([one])) for one in reserved)
    return Table(headers, tuple(rows), words=2)


def _budget_row(plan: BudgetPlan) -> Row:
    return (
        plan.budget.place,
        plan.budget.currency,
        amount(plan.budget.month),
        part(plan.reserved, plan.without),
        part(plan.above, plan.without),
    )


def _amounts(sums: Iterable[CostSum | None]) -> Iterator[str]:
    """Yield what each sum is an hour, then what each is a month."""
    sums = tuple(sums)
    yield from (part(one.hour, one.without) if one else amount(0) for one in sums)
    yield from (part(one.month, one.without) if one else amount(0) for one in sums)


def part(money: float | None, without: Row) -> str:
    """Return an amount, and that there is more to it where it is without some pools."""
    is_part = without and money is not None
    return f"{amount(money)} + {UNKNOWN}" if is_part else amount(money)


def _change_row(change: CostChange) -> Row:
    difference = change.difference
    return (
        change.view.words,
        change.name,
        change.figure.words,
        change.currency,
        amount(change.before),
        amount(change.after),
        UNKNOWN if difference is None else f"{difference:+,.2f}",
    )


def amount(money: float | None) -> str:
    return UNKNOWN if money is None else f"{money:,.2f}"


def statement_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no sum has, and then why each pool has no price."""
    them = "it" if len(unpriced) == 1 else "them"
    return _notes(f"No price is known for {{}}; the sums leave {them} out.", unpriced)


def spare_notes(pools: Iterable[PricedPool]) -> Iterator[str]:
    for priced in pools:
        if spare := priced.pool.spec.nodes.spare:
            price = priced.price
            month = amount(None if price is None else price.node_hour * spare * HOURS_OF_A_MONTH)
            nodes = "1 spare node costs" if spare == 1 else f"{spare} spare nodes cost"
            yield f"{priced.place}: {nodes} {month} {priced.currency} a month, in no quota."


def comparison_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no total has, and then why each pool had or has no price."""
    why = "as the price is not known before or after"
    return _notes(f"Left out of the totals on both sides, {why}: {{}}.", unpriced)


def budget_notes(plans: Iterable[BudgetPlan]) -> Iterator[str]:
    yield from (f"{_excess(plan)}." for plan in plans if plan.above)


def budget_change_notes(changes: Iterable[BudgetChange]) -> Iterator[str]:
    """Yield a sentence for each budget that is exceeded by more than before, or is another."""
    for change in changes:
        before, after = change.before, change.after
        if after is not None and change.exceeds:
            earlier = "it had no budget"
            if before is not None:
                earlier = f"{before.reserved:,.2f} of {before.budget.month:,.2f}"
            yield f"{_excess(after)}; before, {earlier}."
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


def _notes(left_out: str, unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield notes; `left_out` is a sentence with a `{}` for the pools."""
    month = f"A month has {HOURS_OF_A_MONTH} hours."
    places = names_of([gap.place for gap in unpriced])
    yield f"{month} {left_out.format(places)}" if unpriced else month
    yield from (str(gap.fault) for gap in unpriced)


def statement_fields(statement: CostStatement) -> Fields:
    return {
        "hoursOfMonth": HOURS_OF_A_MONTH,
        "pools": [_pool_fields(pool) for pool in statement.pools],
        "sums": [_sum_fields(one) for view in View for one in add_up(statement.items, view)],
        "budgets": [_budget_fields(plan) for plan in statement.plans],
        "unpriced": [_unpriced_fields(gap) for gap in statement.unpriced],
    }


def comparison_fields(comparison: CostComparison) -> Fields:
    of_change = ("name", "currency", "figure", "before", "after", "difference")
    return {
        "hoursOfMonth": HOURS_OF_A_MONTH,
        "items": [{"by": each.view, **attributes(each, *of_change)} for each in comparison.changes],
        "budgets": [
            {
                "before": each.before and _budget_fields(each.before),
                "after": each.after and _budget_fields(each.after),
                "exceeds": each.exceeds,
            }
            for each in comparison.budgets
        ],
        "unpriced": [_unpriced_fields(gap) for gap in comparison.unpriced],
    }


def _pool_fields(priced: PricedPool) -> Fields:
    pool, price = priced.pool, priced.price
    shown = price and {
        "nodeHour": round(price.node_hour, _DECIMALS),
        "gpuHour": round(price.gpu_hour, _DECIMALS),
        **attributes(price, "origin", "as_of"),
    }
    return {
        "cluster": priced.cluster,
        "pool": pool.name,
        "purchase": pool.spec.purchase,
        "nodes": {"min": pool.min_nodes, "max": pool.spec.nodes.max},
        "gpusPerNode": pool.hardware.gpus,
        "currency": priced.currency,
        "price": shown,
    }


def _sum_fields(one: CostSum) -> Fields:
    return {
        "by": one.view,
        **attributes(one, "name", "currency", "figure"),
        "gpus": round(float(one.gpus), _DECIMALS),
        "hour": None if one.hour is None else round(one.hour, _DECIMALS),
        **attributes(one, "month", "without"),
    }


def _budget_fields(plan: BudgetPlan) -> Fields:
    return {**asdict(plan.budget), **attributes(plan, "reserved", "above", "without")}


def _unpriced_fields(gap: UnpricedPool) -> Fields:
    reason = gap.fault.problem.what
    return {"pool": gap.place, "reason": reason, "file": _path(gap), "line": gap.fault.mark.line}


def _path(gap: UnpricedPool) -> str:
    """Return the path of the file in the repository; people are told its place at a commit."""
    return "/".join(PurePath(gap.fault.mark.file.rpartition(":")[2]).parts[-2:])
