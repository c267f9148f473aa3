"""The numbers of a plan, on one line."""

from dataclasses import replace

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.plan.effect import Change, PlannedObject
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.rollout import Mechanism, Rollout, exactly
from gpuplane.plan.tally import tally
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_statement import CostChange, CostComparison
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.gpuplane.versions.bases import MAIN

SAME = CostComparison((), ())


def _one_gpu(mechanism: Mechanism) -> Outage:
    return Outage(Rollout(mechanism, "l4"), (PoolNodes("lab", "l4", exactly(1), 1),))


def _costs(amount: float) -> CostComparison:
    figures = (Figure.AT_MIN, Figure.AT_MAX)
    changes = (CostChange(View.TOTAL, "total", "USD", each, 0, amount) for each in figures)
    return CostComparison(tuple(changes), ())


def test_the_numbers_are_a_line() -> None:
    key = ObjectKey("", "ConfigMap", "lab", "one")
    planned = [
        PlannedObject(PlacedObject("monitoring", key), change, ())
        for change in (Change.CHANGED, Change.REMOVED, Change.CHANGED)
    ]
    plan = ClusterPlan(
        "lab",
        Subject.LIVE,
        "1.0.0",
        "1.1.0",
        tuple(planned),
        outages=(_one_gpu(Mechanism.MIG_LABEL),),
        cost=_costs(12.3),
    )
    said = "2 to change, 1 to delete, 1 GPU out, +12 USD a month"
    assert tally(Plan(MAIN, (plan,), ())) == said
    same = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", cost=SAME)
    assert tally(Plan(MAIN, (same,), ())) == "0 GPUs out, +0 USD a month"
    later = replace(plan, subject=Subject.RENDERED)
    assert tally(Plan(MAIN, (same, later), ())) == (
        "0 GPUs out, +0 USD a month; once promoted: 2 to change, 1 to delete"
    )


@pytest.mark.parametrize(
    ("is_held", "said"), [(True, "1 GPU goes once confirmed"), (False, "1 GPU goes")]
)
def test_gpus_that_go_are_not_counted_as_none_that_is_out(is_held: bool, said: str) -> None:
    outage = replace(_one_gpu(Mechanism.POOL_DELETION), is_held=is_held)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=(outage,), cost=None)
    assert tally(Plan(MAIN, (plan,), ())) == f"{said}, cost not known"


def test_gpus_that_only_a_pool_made_anew_misses_are_not_counted_as_out() -> None:
    outages = (_one_gpu(Mechanism.RECREATION),)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, cost=SAME)
    assert tally(Plan(MAIN, (plan,), ())) == "0 GPUs out, +0 USD a month"
