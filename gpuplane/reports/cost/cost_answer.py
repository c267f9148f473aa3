"""What a platform costs, in one sentence and one table."""

from collections.abc import Iterator

from gpuplane.reports.cost.cost_item import CostSum, Figure, PricedPool, View, sums_by_name
from gpuplane.reports.cost.cost_report import UNKNOWN, amount, part
from gpuplane.reports.cost.cost_statement import CostStatement
from gpuplane.tables import Row, Table

Sums = dict[Figure, CostSum]


def cost_sentence(statement: CostStatement) -> str:
    """Return what a month costs, by currency, and for how many pools nobody knows."""
    clauses = []
    for currency, sums in _totals(statement).items():
        kept, most, reserved = (_whole(sums.get(figure)) for figure in Figure)
        clauses.append(
            f"a month costs {kept} {currency} with the fewest nodes and {most} with the most, "
            f"and quotas reserve {reserved}"
        )
    said = "; ".join(clauses) or "nothing has a price"
    gaps, pools = len(statement.unpriced), len(statement.pools)
    left_out = f", without {gaps} of {pools} pools, whose price is not known" if gaps else ""
    return f"{said[0].upper()}{said[1:]}{left_out}."


def pool_table(statement: CostStatement) -> Table:
    headers = ("Pool", "Purchase", "Currency", "Nodes", "GPU-hour", *_months())
    by_place = sums_by_name(statement.items, View.POOL)
    rows = [_pool_row(each, by_place) for each in statement.pools]
    # The total of a single pool is what it costs.
    for currency, sums in _totals(statement).items() if len(rows) > 1 else ():
        rows.append(("total", "", currency, "", "", *(_month(sums.get(each)) for each in Figure)))
    return Table(headers, tuple(rows), words=3)


def _months() -> Iterator[str]:
    yield from (f"Month {figure.words}" for figure in Figure)


def _pool_row(priced: PricedPool, by_place: dict[tuple[str, str], Sums]) -> Row:
    pool, price = priced.pool, priced.price
    sums = by_place.get((priced.place, priced.currency), {})
    return (
        priced.place,
        pool.spec.purchase.value,
        priced.currency,
        f"{pool.min_nodes} to {pool.spec.nodes.max}",
        amount(price.gpu_hour) if price else UNKNOWN,
        *(_month(sums.get(figure)) for figure in Figure),
    )


def _whole(one: CostSum | None) -> str:
    return f"{(one.month or 0) if one else 0:,.0f}"


def _month(one: CostSum | None) -> str:
    return amount(0) if one is None else part(one.month, one.without)


def _totals(statement: CostStatement) -> dict[str, Sums]:
    found = sums_by_name(statement.items, View.TOTAL)
    return {currency: sums for (_, currency), sums in found.items()}
