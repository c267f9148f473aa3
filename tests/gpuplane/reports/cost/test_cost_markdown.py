from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.cost_change import CostChange
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_report import change_table, comparison_notes, statement_notes
from gpuplane.reports.cost.cost_statement import UnpricedPool
from gpuplane.tables import Section, to_markdown


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
    assert (
        to_markdown(Section("Cost", [], statement_notes([])))
        == "### Cost\n\nA month has 730 hours.\n"
    )
