from fractions import Fraction

import pytest

from gpuplane.reports.cost.cost_item import CostSum, Figure, View, add_up
from gpus.purchase import Purchase
from tests.gpuplane.reports.cost.items import RESEARCH, SEARCH, item

AT_MAX, RESERVED = Figure.AT_MAX, Figure.RESERVED
ITEMS = (
    item(AT_MAX, 8),
    item(AT_MAX, 2, place="training/a10g", purchase=Purchase.ON_DEMAND),
    item(AT_MAX, None, place="inference/l4", purchase=Purchase.SPOT),
    item(RESERVED, 3, RESEARCH),
    item(RESERVED, 1, SEARCH),
    item(RESERVED, None, SEARCH, place="inference/l4", purchase=Purchase.SPOT),
)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (
            View.POOL,
            {
                "inference/l4": {"atMax": None, "reserved": None},
                "training/a10g": {"atMax": 2},
                "training/h100": {"atMax": 8, "reserved": 4},
            },
        ),
        (
            View.CLUSTER,
            {
                "inference": {"atMax": None, "reserved": None},
                "training": {"atMax": 10, "reserved": 4},
            },
        ),
        (
            View.PURCHASE,
            {
                "on-demand": {"atMax": 2},
                "reserved": {"atMax": 8, "reserved": 4},
                "spot": {"atMax": None, "reserved": None},
            },
        ),
        (View.TEAM, {"research": {"reserved": 3}, "search": {"reserved": 1}}),
        (View.COST_CENTER, {"4711": {"reserved": 3}, "4712": {"reserved": 1}}),
        (
            View.NAMESPACE,
            {
                "inference/serving": {"reserved": None},
                "training/lab": {"reserved": 3},
                "training/serving": {"reserved": 1},
            },
        ),
        (View.TOTAL, {"total": {"atMax": 10, "reserved": 4}}),
    ],
)
def test_amounts_are_added_up_by_what_they_have_in_common(
    view: View, expected: dict[str, dict[str, float | None]]
) -> None:
    found: dict[str, dict[str, float | None]] = {}
    for each in add_up(ITEMS, view):
        found.setdefault(each.name, {})[each.figure] = each.hour
    assert found == expected


def test_a_sum_names_the_pools_that_it_is_without() -> None:
    (search,) = (each for each in add_up(ITEMS, View.TEAM) if each.name == "search")
    gpus = Fraction(16)
    without = ("inference/l4",)
    assert search == CostSum(View.TEAM, "search", "USD", RESERVED, gpus, 1, 730, without)


def test_amounts_of_two_currencies_are_two_sums() -> None:
    sums = add_up([item(AT_MAX, 8), item(AT_MAX, 9, currency="EUR")], View.TOTAL)
    assert [(each.currency, each.hour) for each in sums] == [("EUR", 9), ("USD", 8)]


def test_a_month_has_730_hours() -> None:
    (total,) = add_up([item(AT_MAX, 55.04)], View.TOTAL)
    assert total.month == 40179.2


def test_a_sum_is_of_what_each_pool_costs_a_month_to_the_cent() -> None:
    pools = [item(AT_MAX, 55.0466, place=f"training/h{n}") for n in (1, 2, 3)]
    (total,) = add_up(pools, View.TOTAL)
    months = [each.month for each in add_up(pools, View.POOL)]
    assert (months, total.month) == ([40184.02] * 3, 120552.06)
