"""Who loses quota, and who gains it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.plan.allocation_change import NO_CHANGE, AllocationChange, LineChange, TeamChange
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.quota_clauses import QuotaLoss, quota_clauses, quota_losses
from gpuplane.plan.restart import Restart
from gpuplane.reports.queues import NamespaceLine
from gpuplane.versions.comparison import PlacedObject, Subject

SHARED = "nvidia.com/gpu.shared"


def _plan(allocations: AllocationChange) -> ClusterPlan:
    return ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", allocations=allocations)


def _line(namespace: str, before: int, after: int, pool: str = "l40s") -> LineChange[NamespaceLine]:
    sides = (NamespaceLine(pool, SHARED, "a", namespace, own, 0, 0) for own in (before, after))
    return LineChange(*sides)


@pytest.mark.parametrize(
    ("teams", "said"),
    [
        ((("a", 8, 0), ("b", 2, 10)), ["8 GPUs of quota move from lab/a to lab/b"]),
        (
            (("a", 8, 0), ("b", 2, 4)),
            ["lab/a loses 8 GPUs of quota", "lab/b gains 2 GPUs of quota"],
        ),
        (tuple((each, 8, 6) for each in "abcd"), ["4 teams of 1 cluster lose 8 GPUs of quota"]),
    ],
)
def test_who_loses_gpus_of_quotas_and_who_gains_them_is_named(
    teams: tuple[tuple[str, int, int], ...], said: list[str]
) -> None:
    changed = tuple(TeamChange(name, Fraction(old), Fraction(new)) for name, old, new in teams)
    assert [*quota_clauses([_plan(replace(NO_CHANGE, teams=changed))])] == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(
            (_line("one", 64, 32),),
            [f"lab/one loses 32 {SHARED} of quota"],
            id="half as many pods share each GPU",
        ),
        pytest.param(
            (_line("one", 64, 32), _line("two", 0, 32)),
            [f"lab/one loses 32 {SHARED} of quota"],
            id="quota moves between namespaces of a team",
        ),
        pytest.param(
            (_line("one", 64, 32), _line("one", 0, 32, pool="l4")),
            [],
            id="quota moves to a pool of the same resource",
        ),
        pytest.param((_line("one", 32, 64),), [], id="more pods share each GPU"),
        pytest.param(
            tuple(_line(each, 8, 4) for each in ("one", "two", "three", "four", "five")),
            [
                *(f"lab/{each} loses 4 {SHARED} of quota" for each in ("one", "two", "three")),
                "2 more quotas of namespaces lose allocations, and their teams no GPU",
            ],
            id="many",
        ),
    ],
)
def test_who_loses_allocations_and_no_gpu_is_named(
    lines: tuple[LineChange[NamespaceLine], ...], said: list[str]
) -> None:
    assert [*quota_clauses([_plan(replace(NO_CHANGE, quotas=lines))])] == said


def test_teams_of_clusters_that_change_alike_are_told_once() -> None:
    moved = replace(NO_CHANGE, teams=(TeamChange("a", Fraction(8), Fraction(16)),))
    plans = [replace(_plan(moved), cluster=name) for name in ("lab", "hub")]
    assert [*quota_clauses(plans)] == ["lab/a gains 8 GPUs of quota (the same on hub)"]


def test_a_loss_is_told_once() -> None:
    team = TeamChange("a", Fraction(16), Fraction(8))
    lost = replace(NO_CHANGE, quotas=(_line("one", 64, 32),), teams=(team,))
    expected = [QuotaLoss("a", None, "lab/a loses 8 GPUs of quota")]
    assert [*quota_losses(_plan(lost))] == expected
    without = replace(_plan(replace(lost, teams=())), restarts=(Restart(SHARED, False, False, ()),))
    assert [*quota_losses(without)] == []


def test_quota_of_a_namespace_that_waits_moves_once_somebody_confirms_it() -> None:
    removal = PlannedObject(
        PlacedObject("team-a", ObjectKey("", "Namespace", "", "one")),
        Change.REMOVED,
        (Effect(Verdict.DANGEROUS, "", "", ""),),
        is_held=True,
    )
    teams = (TeamChange("a", Fraction(8), Fraction()), TeamChange("b", Fraction(), Fraction(8)))
    lost = LineChange(NamespaceLine("l40s", SHARED, "a", "one", 32, 0, 0), None)
    moved = replace(NO_CHANGE, quotas=(lost,), teams=teams)
    plan = replace(_plan(moved), objects=(removal,))
    assert [*quota_clauses([plan])] == [
        "lab/a loses 8 GPUs of quota when somebody confirms it",
        "lab/b gains 8 GPUs of quota",
    ]
    queue = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "one")
    pruned = replace(removal, placed=PlacedObject("kueue-queues", queue), is_held=False)
    assert [*quota_clauses([replace(plan, objects=(removal, pruned))])] == [
        "8 GPUs of quota move from lab/a to lab/b"
    ]
    (part,) = (each for each in parts(plan, None) if each.title == "Capacity and quotas")
    assert part.notes[-1] == (
        "The quotas of one stay beside those of others until somebody confirms the removal."
    )
    within = replace(plan, allocations=replace(moved, teams=()))
    assert [*quota_clauses([within])] == [
        f"lab/one loses 32 {SHARED} of quota when somebody confirms it"
    ]
    assert [*quota_clauses([_plan(moved)])] == ["8 GPUs of quota move from lab/a to lab/b"]
