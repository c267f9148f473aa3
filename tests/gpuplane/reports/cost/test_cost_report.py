"""What people read of costs."""

import pytest

from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_report import (
    change_table,
    comparison_notes,
    spare_notes,
    statement_notes,
    statement_tables,
)
from gpuplane.reports.cost.cost_statement import CostChange, UnpricedPool, cost_statement
from gpuplane.tables import Section, Table, to_markdown
from tests.charts_py.fixture_types import PlatformWith

pytestmark = pytest.mark.usefixtures("fixed_prices")
SPOT = ("purchase: reserved\n    reservation: cr-0123456789abcdef0", "purchase: spot")


@pytest.fixture
def tables(platform_after: PlatformWith) -> dict[str, Table]:
    """Return the tables of a sample by their first header; of prices, by its third."""
    statement = cost_statement([platform_after("eks", SPOT)])
    prices, *others = statement_tables(statement)
    return {prices.headers[2]: prices} | {each.headers[0]: each for each in others}


def test_a_price_has_its_day_or_is_missing(tables: dict[str, Table]) -> None:
    assert tables["Price"].rows == (
        ("sample/a100-mig", "on-demand", "listed 2026-07-20", "USD", "1 to 2", "27.45", "3.43"),
        ("sample/a10g", "on-demand", "listed 2026-07-20", "USD", "0 to 2", "5.67", "1.42"),
        ("sample/h100", "spot", "?", "USD", "2 to 4", "?", "?"),
    )


def test_nodes_cost_from_their_least_to_their_most_by_hour_and_by_month(
    tables: dict[str, Table],
) -> None:
    """What no team has reserved costs nothing; what has no price leaves sums open."""
    purchases = tables["Purchase"]
    headers = "Purchase|Currency|Hour at min|Hour at max|Hour reserved"
    assert "|".join(purchases.headers) == f"{headers}|Month at min|Month at max|Month reserved"
    amounts = ("27.45", "66.24", "60.57", "20,036.38", "48,353.89", "44,213.33")
    assert purchases.rows == (
        ("on-demand", "USD", *amounts),
        ("spot", "USD", "?", "?", "?", "?", "?", "?"),
        ("total", "USD", *(f"{each} + ?" for each in amounts)),
    )


def test_teams_cost_what_their_quotas_reserve(tables: dict[str, Table]) -> None:
    assert tables["Team"] == Table(
        ("Team", "Currency", "GPUs reserved", "Hour", "Month"),
        (
            ("research", "USD", "28", "5.67 + ?", "4,140.56 + ?"),
            ("search", "USD", "24", "54.89 + ?", "40,072.77 + ?"),
            ("total", "USD", "52", "60.57 + ?", "44,213.33 + ?"),
        ),
        words=2,
    )
    first = [tables[name].rows[0][0] for name in ("Cost center", "Namespace", "Cluster")]
    assert first == ["4711", "sample/research", "sample"]


def test_a_team_may_have_the_name_of_the_last_row(platform_after: PlatformWith) -> None:
    platform = platform_after("eks", ("\n  search:\n", "\n  total:\n"))
    *_, teams, _, _ = statement_tables(cost_statement([platform]))
    rows = [(row[0], row[2]) for row in teams.rows]
    assert rows == [("research", "28"), ("total", "24"), ("total", "52")]


@pytest.mark.parametrize(
    ("budget", "changes", "row"),
    [
        (200_000, [], ("200,000.00", "124,678.16", "0.00")),
        (100_000, [], ("100,000.00", "124,678.16", "24,678.16")),
        (200_000, [SPOT], ("200,000.00", "4,140.56 + ?", "?")),
        (4_000, [SPOT], ("4,000.00", "4,140.56 + ?", "140.56 + ?")),
        (4_000, [SPOT, ("{h100: 24, a10g: 16}", "{h100: 24}")], ("4,000.00", "?", "?")),
    ],
)
def test_a_budget_stands_beside_what_quotas_reserve(
    budget: int, changes: list[tuple[str, str]], row: tuple[str, ...], platform_after: PlatformWith
) -> None:
    stated = ('costCenter: "4711"', f'costCenter: "4711"\n    budget: {budget}')
    *_, table = statement_tables(cost_statement([platform_after("eks", stated, *changes)]))
    assert table == Table(
        ("Budget of", "Currency", "A month", "Reserved", "Above budget"),
        (("sample/research", "USD", *row),),
        words=2,
    )


def gap(name: str) -> UnpricedPool:
    fault = Fault(Mark("clusters/inference.yaml", 3), Problem(("pools", name), "it varies"))
    return UnpricedPool(f"inference/{name}", fault)


@pytest.mark.parametrize(
    ("written", "notes"),
    [
        ("min: 4, max: 4", []),
        (
            "min: 4, max: 4, spare: 1",
            ["sample/h100: 1 spare node costs 40,179.20 USD a month, in no quota."],
        ),
        (
            "min: 4, max: 4, spare: 2",
            ["sample/h100: 2 spare nodes cost 80,358.40 USD a month, in no quota."],
        ),
    ],
)
def test_spare_nodes_have_their_cost(
    platform_after: PlatformWith, written: str, notes: list[str]
) -> None:
    platform = platform_after("operators", ("min: 2, max: 4", written))
    assert list(spare_notes(cost_statement([platform]).pools)) == notes


@pytest.mark.parametrize(
    ("pools", "left_out"),
    [
        (["l4"], "No price is known for inference/l4; the sums leave it out."),
        (
            ["l4", "t4"],
            "No price is known for inference/l4, inference/t4; the sums leave them out.",
        ),
    ],
)
def test_a_statement_says_what_its_sums_leave_out(pools: list[str], left_out: str) -> None:
    assert list(statement_notes([gap(name) for name in pools])) == [
        f"A month has 730 hours. {left_out}",
        *(f"clusters/inference.yaml:3: pools.{name}: it varies" for name in pools),
    ]


def test_a_comparison_says_that_a_price_may_be_known_on_one_side() -> None:
    assert list(comparison_notes([gap("l4"), gap("t4")])) == [
        (
            "A month has 730 hours. Left out of the totals on both sides, as the price is not "
            "known before or after: inference/l4, inference/t4."
        ),
        "clusters/inference.yaml:3: pools.l4: it varies",
        "clusters/inference.yaml:3: pools.t4: it varies",
    ]


def test_a_change_is_a_table_and_says_what_it_is_without() -> None:
    pool = CostChange(View.POOL, "training/h100", "USD", Figure.AT_MAX, 7300, 10950.5)
    unknown = CostChange(View.POOL, "inference/l4", "USD", Figure.AT_MIN, None, 0)
    problem = Problem(("pools", "l4"), "no price of spot nodes is listed, since it varies")
    gap = UnpricedPool("inference/l4", Fault(Mark("clusters/inference.yaml", 3), problem))
    notes = comparison_notes([gap])
    assert to_markdown(Section("Cost since main", [change_table([pool, unknown])], notes)) == (
        """\
### Cost since main

| By | Name | A month | Currency | Before | After | Difference |
|---|---|---|---|---:|---:|---:|
| pool | training/h100 | at max | USD | 7,300.00 | 10,950.50 | +3,650.50 |
| pool | inference/l4 | at min | USD | ? | 0.00 | ? |

A month has 730 hours. Left out of the totals on both sides, as the price is not known before or \
after: inference/l4.

- clusters/inference.yaml:3: pools.l4: no price of spot nodes is listed, since it varies
"""
    )


def test_where_every_price_is_known_a_month_is_all_that_is_said() -> None:
    page = to_markdown(Section("Cost", [], statement_notes([])))
    assert page == "### Cost\n\nA month has 730 hours.\n"
