"""What clusters cost, from the same pools and quotas that they are rendered from."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import pytest

from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.cost_item import Billed, CostItem, Figure, View, add_up
from gpuplane.reports.cost.cost_statement import (
    Budget,
    BudgetChange,
    BudgetPlan,
    CostChange,
    CostComparison,
    CostStatement,
    UnpricedPool,
    budget_plans,
    compare,
    cost_statement,
)
from gpus.purchase import Purchase
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.gpuplane.reports.cost.items import RESEARCH, SEARCH, item

ItemsOf: TypeAlias = Callable[..., list[CostItem]]

RESERVED_NODES = "purchase: reserved\n    reservation: cr-0123456789abcdef0"


@pytest.fixture
def items_of(platform_after: PlatformWith) -> ItemsOf:
    """Return the function that returns the items of one pool of a changed sample."""

    def items(pool: str, *changes: tuple[str, str]) -> list[CostItem]:
        statement = cost_statement([platform_after("eks", *changes)])
        return [item for item in statement.items if item.place == f"sample/{pool}"]

    return items


@pytest.mark.usefixtures("fixed_prices")
def test_a_pool_costs_its_nodes_and_is_reserved_by_quotas(items_of: ItemsOf) -> None:
    def item(figure: Figure, nodes: int, billed: Billed | None = None) -> CostItem:
        gpus, hour = Fraction(8 * nodes), nodes * 55.04
        place, purchase = "sample/h100", Purchase.RESERVED
        return CostItem(figure, "sample", place, purchase, "USD", gpus, hour, billed)

    assert items_of("h100") == [
        item(Figure.AT_MIN, 2),
        item(Figure.AT_MAX, 4),
        item(Figure.RESERVED, 3, Billed("research", "research", "4711")),
        item(Figure.RESERVED, 1, Billed("search", "search", "4712")),
    ]


@pytest.mark.parametrize(("pool", "gpus"), [("a100-mig", [8, 16, 16]), ("a10g", [0, 8, 4])])
def test_allocations_are_counted_in_gpus(pool: str, gpus: list[int], items_of: ItemsOf) -> None:
    """64 MIG instances are those of two nodes with 8 GPUs each; of 16 shares, 4 are a GPU."""
    assert [item.gpus for item in items_of(pool)] == gpus


def test_a_part_of_a_mixed_layout_is_what_its_instances_are(items_of: ItemsOf) -> None:
    """Of one GPU's four, two are dealt before the others: 1g and 2g."""
    changed = ("a100-mig: 64", "a100-mig: 2")
    assert items_of("a100-mig", changed)[-1].gpus == Fraction(3, 7)


def test_a_pool_without_a_price_is_named_with_its_line_and_costs_nothing_only_at_no_node(
    platform_after: PlatformWith,
) -> None:
    spot = (RESERVED_NODES, "purchase: spot"), ("{min: 2, max: 4}", "{max: 4}")
    statement = cost_statement([platform_after("eks", *spot)])
    (gap,) = statement.unpriced
    assert gap.place == "sample/h100"
    assert str(gap.fault).partition("sample.yaml:")[2] == (
        "12: pools.h100: no price of spot nodes is listed, since it varies; "
        "allowed: price, cost.prices, or cost.discounts"
    )
    hours = [item.hour for item in statement.items if item.place == gap.place]
    assert hours == [0, None, None, None]


def test_machines_of_one_s_own_are_told_how_to_state_theirs(platform_after: PlatformWith) -> None:
    statement = cost_statement([platform_after("onprem")])
    places = [gap.place for gap in statement.unpriced]
    assert places == ["sample/h200", "sample/l40s", "sample/mi300x"]
    assert {gap.fault.problem.allowed for gap in statement.unpriced} == {"price, or owned"}


@pytest.mark.parametrize("name", ["inference", "mixed", "onprem", "training"])
def test_quotas_reserve_no_more_gpus_than_the_most_nodes_have(name: str, example: Load) -> None:
    sums = add_up(cost_statement([example(name)]).items, View.POOL)
    gpus = {(each.name, each.figure): each.gpus for each in sums}
    reserved = {pool: count for (pool, figure), count in gpus.items() if figure is Figure.RESERVED}
    assert reserved
    for pool, count in reserved.items():
        assert count <= gpus[pool, Figure.AT_MAX], pool


def test_every_view_adds_up_to_the_same(example: Load) -> None:
    items = cost_statement([example("training"), example("inference")]).items
    (total,) = (each for each in add_up(items, View.TOTAL) if each.figure is Figure.RESERVED)
    for view in View:
        parts = [each for each in add_up(items, view) if each.figure is Figure.RESERVED]
        assert sum(each.hour or 0 for each in parts) == pytest.approx(total.hour), view
        assert round(sum(each.month or 0 for each in parts), 2) == total.month, view
        assert sum(each.gpus for each in parts) == total.gpus, view


AT_MIN, AT_MAX, RESERVED = Figure
BUDGET = Budget("training", "research", "USD", 7000)
L4 = UnpricedPool("training/l4", Fault(Mark("training.yaml", 3), Problem(("pools", "l4"), "?")))
OTHER = UnpricedPool("inference/l4", L4.fault)


def test_a_team_has_a_budget_on_each_cluster() -> None:
    other = Budget("inference", "research", "EUR", 3000)
    items = (
        item(Figure.AT_MAX, 100),
        item(RESERVED, 10, RESEARCH),
        item(RESERVED, 20, SEARCH),
        item(RESERVED, 4, RESEARCH, place="inference/l4", currency="EUR"),
    )
    plans = tuple(budget_plans((BUDGET, other), items))
    assert plans == (BudgetPlan(BUDGET, 7300), BudgetPlan(other, 2920))
    assert [plan.above for plan in plans] == [300, 0]


def test_whether_a_budget_is_exceeded_is_not_known_where_missing_prices_decide() -> None:
    assert BudgetPlan(BUDGET, 6000, (L4.place,)).above is None
    assert BudgetPlan(BUDGET, None, (L4.place,)).above is None
    assert BudgetPlan(BUDGET, 8000, (L4.place,)).above == 1000


def test_a_price_that_is_stated_for_the_first_time_exceeds_no_budget() -> None:
    h100, l4 = item(RESERVED, 9, RESEARCH), item(RESERVED, 5, RESEARCH, place=L4.place)
    unpriced = item(RESERVED, None, RESEARCH, place=L4.place)

    before = CostStatement((), (h100, unpriced), (L4,), (BUDGET,))
    assert compare(before, CostStatement((), (h100, l4), (), (BUDGET,))).budgets == ()


def test_a_budget_in_another_currency_is_another_budget() -> None:
    euros = Budget("training", "research", "EUR", 7000)
    before = CostStatement((), (item(RESERVED, 10, RESEARCH),), (), (BUDGET,))
    after = CostStatement((), (item(RESERVED, 9, RESEARCH, currency="EUR"),), (), (euros,))
    removed, added = compare(before, after).budgets
    assert removed == BudgetChange(BudgetPlan(BUDGET, 7300), None)
    assert added == BudgetChange(None, BudgetPlan(euros, 6570))
    assert (removed.exceeds, added.exceeds) == (False, False)


def statement(*items: CostItem, unpriced: tuple[UnpricedPool, ...] = ()) -> CostStatement:
    return CostStatement((), items, unpriced)


def change(view: View, name: str, figure: Figure, *sides: float | None) -> CostChange:
    return CostChange(view, name, "USD", figure, *sides)


def test_what_changes_is_told_by_month_and_the_total_in_any_case() -> None:
    before = statement(item(AT_MAX, 10), item(RESERVED, 4, RESEARCH))
    after = statement(item(AT_MAX, 15), item(RESERVED, 4, SEARCH))
    assert compare(before, after).changes == (
        change(View.POOL, "training/h100", AT_MAX, 7300, 10950),
        change(View.CLUSTER, "training", AT_MAX, 7300, 10950),
        change(View.PURCHASE, "reserved", AT_MAX, 7300, 10950),
        change(View.TEAM, "research", RESERVED, 2920, 0),
        change(View.TEAM, "search", RESERVED, 0, 2920),
        change(View.COST_CENTER, "4711", RESERVED, 2920, 0),
        change(View.COST_CENTER, "4712", RESERVED, 0, 2920),
        change(View.NAMESPACE, "training/lab", RESERVED, 2920, 0),
        change(View.NAMESPACE, "training/serving", RESERVED, 0, 2920),
        change(View.TOTAL, "total", AT_MAX, 7300, 10950),
        change(View.TOTAL, "total", RESERVED, 2920, 2920),
    )


def test_a_saving_is_below_zero() -> None:
    assert change(View.TOTAL, "total", AT_MAX, 0.3, 0.1).difference == -0.2


def test_a_pool_that_has_no_price_on_one_side_is_in_no_sum_of_either() -> None:
    """Else a price that is stated now would look like money that is spent now."""
    h100 = item(AT_MAX, 10)
    before = statement(h100, item(AT_MAX, None, place=OTHER.place), unpriced=(OTHER,))
    after = statement(h100, item(AT_MAX, 2, place=OTHER.place))
    comparison = compare(before, after)
    assert comparison == CostComparison(
        (
            change(View.POOL, "inference/l4", AT_MAX, None, 1460),
            change(View.TOTAL, "total", AT_MAX, 7300, 7300),
        ),
        (OTHER,),
    )
    assert comparison.changes[0].difference is None


def test_more_gpus_without_a_price_are_a_change_of_nobody_knows_how_much() -> None:
    fewer = item(AT_MAX, None, place=OTHER.place)
    before, after = statement(fewer, unpriced=(OTHER,)), statement(fewer, fewer, unpriced=(OTHER,))
    unknown = change(View.POOL, "inference/l4", AT_MAX, None, None)
    assert compare(before, after).changes == (unknown,)
    assert compare(before, before).changes == ()
