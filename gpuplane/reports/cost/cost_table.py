"""Costs as tables for people, however these are printed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from charts_py.platform.pool_price import Price
from gpuplane.reports.cost.budget_plan import BudgetPlan
from gpuplane.reports.cost.cost_change import CostChange
from gpuplane.reports.cost.cost_item import Figure, PricedPool
from gpuplane.reports.cost.cost_statement import CostStatement
from gpuplane.reports.cost.cost_sum import CostSum, View, add_up
from gpuplane.tables.table import Row, Table

UNKNOWN = "?"
"""Stands for what is not known."""

_SumsByName: TypeAlias = Mapping[tuple[View, str, str], Mapping[Figure, CostSum]]
"""By view, name and currency."""


def statement_tables(statement: CostStatement) -> Iterator[Table]:
    """Yield what clusters cost: a node, all nodes by pool and purchase, and quotas by team."""
    yield _price_table(statement.pools)
    for view in (View.POOL, View.CLUSTER, View.PURCHASE):
        yield _node_table(view, _by_name(statement, view))
    for view in (View.TEAM, View.COST_CENTER, View.NAMESPACE):
        yield _quota_table(view, _by_name(statement, view))
    if statement.budgets:
        yield _budget_table(statement.plans)


def change_table(changes: Iterable[CostChange]) -> Table:
    """Return what changes a month."""
    headers = ("By", "Name", "A month", "Currency", "Before", "After", "Difference")
    return Table(headers, tuple(map(_change_row, changes)), words=4)


def _price_table(pools: Iterable[PricedPool]) -> Table:
    headers = ("Pool", "Purchase", "Price", "Currency", "Nodes", "Node-hour", "GPU-hour")
    return Table(headers, tuple(map(_price_row, pools)), words=4)


def _price_row(priced: PricedPool) -> Row:
    pool, price = priced.pool, priced.price
    return (
        priced.place,
        pool.spec.purchase.value,
        _origin(price),
        priced.currency,
        f"{pool.min_nodes} to {pool.spec.nodes.max}",
        _amount(price.node_hour if price else None),
        _amount(price.gpu_hour if price else None),
    )


def _origin(price: Price | None) -> str:
    if price is None:
        return UNKNOWN
    return f"{price.origin} {price.as_of}" if price.as_of else price.origin.value


def _by_name(statement: CostStatement, view: View) -> _SumsByName:
    """Return the sums of a view, and after them what all come to."""
    found: dict[tuple[View, str, str], dict[Figure, CostSum]] = {}
    for shown in (view, View.TOTAL):
        for one in add_up(statement.items, shown):
            found.setdefault((shown, one.name, one.currency), {})[one.figure] = one
    return found


def _node_table(view: View, by_name: _SumsByName) -> Table:
    headers = (
        *(view.words.capitalize(), "Currency"),
        *(f"Hour {figure.words}" for figure in Figure),
        *(f"Month {figure.words}" for figure in Figure),
    )
    rows = (
        (*key[1:], *_amounts([sums.get(figure) for figure in Figure]))
        for key, sums in by_name.items()
    )
    return Table(headers, tuple(rows), words=2)


def _quota_table(view: View, by_name: _SumsByName) -> Table:
    headers = (view.words.capitalize(), "Currency", "GPUs reserved", "Hour", "Month")
    reserved = [sums[Figure.RESERVED] for sums in by_name.values() if Figure.RESERVED in sums]
    rows = (
        (one.name, one.currency, _number(float(one.gpus)), *_amounts([one])) for one in reserved
    )
    return Table(headers, tuple(rows), words=2)


def _budget_table(plans: Iterable[BudgetPlan]) -> Table:
    """Return the budgets of teams, and what is reserved of each a month."""
    headers = ("Budget of", "Currency", "A month", "Reserved", "Above budget")
    return Table(headers, tuple(map(_budget_row, plans)), words=2)


def _budget_row(plan: BudgetPlan) -> Row:
    return (
        plan.budget.place,
        plan.budget.currency,
        _amount(plan.budget.month),
        _part(plan.reserved, plan.without),
        _part(plan.above, plan.without),
    )


def _amounts(sums: Iterable[CostSum | None]) -> Iterator[str]:
    """Yield what each sum is an hour, then what each is a month."""
    sums = tuple(sums)
    yield from (_part(one.hour, one.without) if one else _amount(0) for one in sums)
    yield from (_part(one.month, one.without) if one else _amount(0) for one in sums)


def _part(amount: float | None, without: Row) -> str:
    """Return an amount, and that there is more to it where it is without some pools."""
    is_part = without and amount is not None
    return f"{_amount(amount)} + {UNKNOWN}" if is_part else _amount(amount)


def _change_row(change: CostChange) -> Row:
    difference = change.difference
    return (
        change.view.words,
        change.name,
        change.figure.words,
        change.currency,
        _amount(change.before),
        _amount(change.after),
        UNKNOWN if difference is None else f"{difference:+,.2f}",
    )


def _amount(amount: float | None) -> str:
    return UNKNOWN if amount is None else f"{amount:,.2f}"


def _number(number: float) -> str:
    """Return a number with up to two decimals."""
    return f"{number:,.2f}".rstrip("0").rstrip(".")
