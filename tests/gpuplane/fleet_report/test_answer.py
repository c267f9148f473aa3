"""The figures: the GPUs that are out, what their note adds, and what nodes cost a month."""

from dataclasses import replace
from fractions import Fraction

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.fleet_report.answer import answer, cost_change, costs_at_most
from gpuplane.fleet_report.figure_words import known_words
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.pool_use import pool_uses
from gpuplane.plan.allocation_change import AllocationChange, TeamChange
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.removed_pool import RemovedPool
from gpuplane.plan.restart import Holding, Restart
from gpuplane.plan.rollout import Mechanism, Rollout, exactly
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.fleet_report.conftest import REFUSAL
from tests.gpuplane.versions.bases import MAIN


def _outage(pool: str, mechanism: Mechanism, **fields: object) -> Outage:
    rollout = Rollout(mechanism, pool, needs_room=mechanism is Mechanism.DRIFT)
    return Outage(rollout, (PoolNodes("lab", pool, exactly(1), 8),), **fields)  # type: ignore[arg-type] # as rows name them


def _plan(*outages: Outage, unsized: tuple[str, ...] = ()) -> ClusterPlan:
    return ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, unsized=unsized)


OUT = _outage("cargo", Mechanism.MIG_LABEL)
LESS = (
    PlannedObject(
        PlacedObject("team-research", ObjectKey("v1", "ResourceQuota", "research", "quota")),
        Change.CHANGED,
        (Effect(Verdict.DEFERRED, "spec.hard", "It is lowered.", ""),),
    ),
)
DRIFTING = _outage("a100", Mechanism.DRIFT, unplaceable=("nvidia.com/gpu",))
STATIC = replace(DRIFTING, rollout=replace(DRIFTING.rollout, made_by="kept", needs_room=False))
STAYING = _outage("a100", Mechanism.DRIFT, unplaceable=("nvidia.com/gpu",), moves_none=True)


@pytest.mark.parametrize(
    ("plan", "words", "note"),
    [
        pytest.param(_plan(OUT), "8", "", id="the figure alone says how many are out"),
        pytest.param(
            _plan(OUT, STAYING),
            "8",
            "nodes of lab/a100 stay as they are while pods run there that fit nowhere else",
            id="nodes that stay are told beside GPUs that are out",
        ),
        pytest.param(
            _plan(DRIFTING, STATIC),
            "0",
            "pods on 16 GPUs of lab/a100 that fit elsewhere move to new nodes, which come first, "
            "over at least 5 minutes; pods on 8 GPUs of lab/a100 that fit nowhere else are "
            "evicted; other nodes of lab/a100 stay as they are while pods run there that fit "
            "nowhere else",
            id="nodes of a static NodePool do not stay for pods that fit nowhere else",
        ),
        pytest.param(
            _plan(OUT, unsized=("lab/l4",)),
            "8",
            "how many GPUs of lab/l4 is not known",
            id="so is a pool whose size is not known",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.SCALE_IN)),
            "8",
            "8 GPUs of lab/cargo go for good",
            id="GPUs that go are in the figure, and told",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.SCALE_IN, is_held=True)),
            "0",
            "8 GPUs of lab/cargo go for good when somebody confirms it",
            id="GPUs that go once somebody confirms it are told, and not in the figure",
        ),
        pytest.param(
            _plan(OUT, _outage("a100", Mechanism.SCALE_IN, is_held=True)),
            "8",
            "8 GPUs of lab/a100 go for good when somebody confirms it",
            id="so are they beside GPUs that are out",
        ),
        pytest.param(
            _plan(_outage("cargo", Mechanism.RECREATION)),
            "0",
            "making lab/cargo anew would take 8 GPUs out, for at least 5 minutes",
            id="GPUs that only a pool made anew misses are not in the figure",
        ),
        pytest.param(_plan(), "0", "", id="that no GPU is out is no note"),
    ],
)
def test_the_note_adds_what_the_figure_does_not_say(
    fleet: Fleet, plan: ClusterPlan, words: str, note: str
) -> None:
    (figure, _) = answer(fleet, Plan(MAIN, (plan,), ()), ()).gpus
    assert (figure.words, figure.note) == (words, note)


def _losing(cluster: str) -> ClusterPlan:
    teams = (TeamChange("research", Fraction(16), Fraction(8)),)
    return replace(
        _plan(), cluster=cluster, allocations=AllocationChange(teams=teams), objects=LESS
    )


SLICE = "nvidia.com/mig-1g.18gb"
HELD = Holding("research", 7, counts_pods=False, waiting=7)
REMOVED = RemovedPool(PoolNodes("lab", "h200", exactly(4), 8))


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        pytest.param(
            [replace(_plan(OUT), restarts=(Restart(SLICE, False, False, (HELD,)),))],
            f"No pool offers {SLICE} any more, and pods of lab/research that ask for it never "
            "start again.",
            id="a layout that vanishes",
        ),
        pytest.param(
            [
                replace(
                    _plan(OUT),
                    restarts=(Restart(SLICE, False, False, (HELD,)),),
                    objects=(REFUSAL,),
                )
            ],
            f"No pool offers {SLICE} any more, and pods of lab/research that ask for it never "
            "start again; part of it is refused, and stays as it is (ContainerNodePool "
            "node-pools/a100-mig).",
            id="a layout that vanishes beside a change that is refused",
        ),
        pytest.param(
            [replace(_plan(), removed_pools=(REMOVED,), objects=LESS)],
            "What runs stays, and may be refused or wait when it starts again; 32 GPUs are given "
            "to no new pod, as lab/h200 goes.",
            id="a pool that goes",
        ),
        pytest.param(
            [_losing(cluster) for cluster in ("a", "b", "c", "d")],
            "What runs stays, and may be refused or wait when it starts again; 4 teams of 4 "
            "clusters lose 32 GPUs of quota.",
            id="quotas of many clusters",
        ),
    ],
)
def test_the_title_is_the_gravest_that_the_plan_says(
    fleet: Fleet, plans: list[ClusterPlan], said: str
) -> None:
    assert answer(fleet, Plan(MAIN, tuple(plans), ()), ()).sentence == said


def test_what_nobody_knows_to_happen_may_be_none_of_the_figure(fleet: Fleet) -> None:
    plan = _plan(replace(OUT, is_possible=True))
    (figure, _) = answer(fleet, Plan(MAIN, (plan,), ()), ()).gpus
    assert figure.words == "0 to 8"


@pytest.mark.parametrize(
    ("before", "after", "now", "was"),
    [
        pytest.param((1, 2), (1, 3), "$29k", "$22k", id="a price that changes is a difference"),
        pytest.param((1, 2), (1, None), "$7.3k", "$7.3k", id="one that is lost is none"),
        pytest.param((1, None), (2, None), "$15k", "$7.3k", id="nor is one that is not known"),
        pytest.param((1, None), (1, 2), "$22k", None, id="one that is new makes what was unknown"),
        pytest.param((None, None), (None, None), "no price", "no price", id="none is known"),
        pytest.param((1,), (1, 2), "$22k", "$7.3k", id="a pool that is new costs more"),
        pytest.param((1, 2), (1,), "$7.3k", "$22k", id="one that goes costs less"),
    ],
)
def test_what_nodes_cost_is_compared_where_both_sides_know_the_price(
    platform_after: PlatformWith,
    before: tuple[float | None, ...],
    after: tuple[float | None, ...],
    now: str,
    was: str | None,
) -> None:
    uses = [replace(each, most=Fraction(10)) for each in pool_uses(platform_after("queues"))]
    old, new = (
        [replace(use, gpu_hour=price) for use, price in zip(uses, side, strict=False)]
        for side in (before, after)
    )
    change = cost_change(old, new, costs_at_most)
    assert known_words(change.now) == now
    assert (change.was and known_words(change.was)) == was
