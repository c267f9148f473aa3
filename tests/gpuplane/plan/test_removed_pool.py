from dataclasses import replace
from fractions import Fraction

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.platform.platform import Platform
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import PoolNodes
from gpuplane.plan.removed_pool import Holder, RemovedPool, removed_pool_part, removed_pools
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly
from gpuplane.versions.comparison import PlacedObject
from tests.charts_py.fixture_types import Load

GONE = "h100-spot"
HOLDERS = (
    Holder("recommendations", "recommendations", Fraction(32), Fraction(32)),
    Holder("research-training", "research", Fraction(32), Fraction(32)),
)
HELD = RemovedPool(
    PoolNodes("lab", "h100", Span(1, 4), 8),
    verdict=Verdict.DISRUPTIVE,
    is_removed=True,
    held_by=("node-pools",),
    holders=(
        Holder("research", "vision", Fraction(16), Fraction(8)),
        Holder("search", "ranking", Fraction(7, 2), Fraction(0)),
    ),
)
UNASKED = RemovedPool(PoolNodes("lab", "a100", Span(2, 2), 4), Verdict.DANGEROUS, is_removed=True)
BY_HAND = RemovedPool(PoolNodes("lab", "l4", Span(0, 1), 1))
RENAMED = RemovedPool(PoolNodes("lab", "l40s", Span(2, 2), 4), successor="l40s-batch")


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


def test_it_says_whose_gpus_go_and_how_to_drain_them_first() -> None:
    (part,) = removed_pool_part("lab", (HELD, UNASKED, BY_HAND))
    (table,) = part.tables
    assert table.rows == (
        ("h100", "disruptive", "research", "vision", "16", "8", "8 to 32", "1 to 4"),
        ("h100", "disruptive", "search", "ranking", "3.5", "0", "8 to 32", "1 to 4"),
        ("a100", "dangerous", "-", "-", "0", "0", "8", "2"),
        ("l4", "safe", "-", "-", "0", "0", "0 to 1", "0 to 1"),
    )
    assert part.notes == (
        (
            "Somebody has to confirm the removal of h100: until then nodes and what runs there "
            "stay, and the next version waits for the sync of lab-node-pools. From the merge on, "
            "queues and admission give them to no new pod."
        ),
        "Nobody is asked before a100 goes: what is live does not yet have Argo CD wait.",
        "Argo CD removes nothing of l4: a person does.",
    )
    assert part.commands == (
        "kubectl drain --selector gpuplane.io/pool=h100 --ignore-daemonsets --delete-emptydir-data",
    )


def test_a_pool_that_a_promotion_removes_takes_new_pods_until_then() -> None:
    (part,) = removed_pool_part("lab", (HELD,), is_later=True)
    assert part.notes[0].endswith("Once promoted, queues and admission give them to no new pod.")


@pytest.mark.parametrize(
    ("keeps_machines", "said"),
    [
        (True, "Its machines stay, and belong to the new pool."),
        (False, "No node passes from one to the other: the new pool starts its own."),
    ],
)
def test_a_rename_is_a_removal_and_an_addition(keeps_machines: bool, said: str) -> None:
    renamed = RemovedPool(RENAMED.nodes, successor="l40s-batch", keeps_machines=keeps_machines)
    (part,) = removed_pool_part("lab", (renamed,))
    assert part.notes[-1] == (
        f"l40s becomes l40s-batch, which is a removal and an addition. {said} Pods that name l40s "
        "start nowhere."
    )


def test_where_no_pool_goes_there_is_no_part() -> None:
    assert tuple(removed_pool_part("lab", ())) == ()
