from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.cost_change import CostChange, CostComparison, compare
from gpuplane.reports.cost.cost_item import CostItem, Figure, View
from gpuplane.reports.cost.cost_statement import CostStatement, UnpricedPool
from tests.gpuplane.reports.cost.items import RESEARCH, SEARCH, item

AT_MIN, AT_MAX, RESERVED = Figure
L4 = UnpricedPool("inference/l4", Fault(Mark("inference.yaml", 3), Problem(("pools", "l4"), "?")))


def statement(*items: CostItem, unpriced: tuple[UnpricedPool, ...] = ()) -> CostStatement:
    return CostStatement((), items, unpriced)


def change(
    view: View, name: str, figure: Figure, before: float | None, after: float | None
) -> CostChange:
    return CostChange(view, name, "USD", figure, before, after)


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
    before = statement(h100, item(AT_MAX, None, place=L4.place), unpriced=(L4,))
    after = statement(h100, item(AT_MAX, 2, place=L4.place))
    comparison = compare(before, after)
    assert comparison == CostComparison(
        (
            change(View.POOL, "inference/l4", AT_MAX, None, 1460),
            change(View.TOTAL, "total", AT_MAX, 7300, 7300),
        ),
        (L4,),
    )
    assert comparison.changes[0].difference is None


def test_more_gpus_without_a_price_are_a_change_of_nobody_knows_how_much() -> None:
    fewer = item(AT_MAX, None, place=L4.place)
    before, after = statement(fewer, unpriced=(L4,)), statement(fewer, fewer, unpriced=(L4,))
    assert compare(before, after).changes == (
        change(View.POOL, "inference/l4", AT_MAX, None, None),
    )
    assert compare(before, before).changes == ()
