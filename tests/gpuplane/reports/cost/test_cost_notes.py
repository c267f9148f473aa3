import pytest

from charts_py.cluster_file.fault import Fault, Mark, Problem
from gpuplane.reports.cost.cost_notes import comparison_notes, statement_notes
from gpuplane.reports.cost.cost_statement import UnpricedPool


def gap(name: str) -> UnpricedPool:
    fault = Fault(Mark("clusters/inference.yaml", 3), Problem(("pools", name), "it varies"))
    return UnpricedPool(f"inference/{name}", fault)


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
