from dataclasses import replace
from fractions import Fraction

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.platform.platform import Platform
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import PoolNodes
from gpuplane.plan.removed_pool import Holder, RemovedPool, removed_pools
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly
from gpuplane.versions.comparison import PlacedObject
from tests.charts_py.fixture_types import Load

GONE = "h100-spot"
HOLDERS = (
    Holder("recommendations", "recommendations", Fraction(32), Fraction(32)),
    Holder("research-training", "research", Fraction(32), Fraction(32)),
)


def _without(platform: Platform, name: str, *added: str) -> Platform:
    """Return a platform in which pools of other names, if any, take the place of one."""
    gone = platform.pool(name)
    left = tuple(pool for pool in platform.pools if pool.name != name)
    return replace(platform, pools=(*left, *(replace(gone, name=each) for each in added)))


def _removed(mechanism: Mechanism, name: str = GONE, *, is_held: bool = True) -> PlannedObject:
    placed = PlacedObject("node-pools", ObjectKey("karpenter.sh", "NodePool", "", name))
    effect = Effect(Verdict.DISRUPTIVE, "", "It goes.", "", rollouts=(Rollout(mechanism, name),))
    return PlannedObject(placed, Change.REMOVED, (effect,), is_held=is_held)


def test_a_pool_that_goes_has_who_may_run_there_and_what_waits(example: Load) -> None:
    before = example("training")
    objects = (_removed(Mechanism.POOL_DELETION), _removed(Mechanism.POOL_DELETION, "h100"))
    assert tuple(removed_pools(before, _without(before, GONE), objects, {})) == (
        RemovedPool(
            nodes=PoolNodes("training", GONE, Span(0, 12), 8),
            verdict=Verdict.DISRUPTIVE,
            is_removed=True,
            held_by=("node-pools",),
            holders=HOLDERS,
        ),
    )


def test_a_pool_of_which_nothing_is_removed_is_a_persons(example: Load) -> None:
    before, counted = example("training"), {("training", GONE): 3}
    relabelled = (_removed(Mechanism.CONSOLIDATION, is_held=False),)
    (found,) = removed_pools(before, _without(before, GONE), relabelled, counted)
    assert (found.is_removed, found.verdict, found.held_by) == (False, Verdict.SAFE, ())
    assert found.nodes.nodes == exactly(3)


@pytest.mark.parametrize(
    ("cluster", "pool", "keeps"), [("training", GONE, False), ("onprem", "l40s", True)]
)
def test_a_pool_by_another_name_comes_in_place_of_one_that_goes(
    example: Load, cluster: str, pool: str, keeps: bool
) -> None:
    before = example(cluster)
    (found,) = removed_pools(before, _without(before, pool, "other"), (), {})
    assert (found.successor, found.keeps_machines) == ("other", keeps)


def test_the_shares_of_a_gpu_are_parts_of_it(example: Load) -> None:
    before = example("training")
    (found,) = removed_pools(before, _without(before, "a100-mixed"), (), {})
    (holder,) = found.holders
    assert holder == Holder("recommendations", "recommendations", Fraction(32), Fraction())


def test_of_a_side_that_is_not_known_nothing_is_said(example: Load) -> None:
    known = example("training")
    assert tuple(removed_pools(known, None, (), {})) == ()
    assert tuple(removed_pools(None, known, (), {})) == ()
