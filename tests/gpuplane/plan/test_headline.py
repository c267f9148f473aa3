"""The one sentence that says what a change does."""

from dataclasses import replace

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.headline import MEANINGS, edited_lines, headline, plan_lines, sentence
from gpuplane.plan.kubernetes_upgrade import KubernetesUpgrade
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.pin_change import Pin, PinChange, PinKind
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.removed_pool import RemovedPool
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly
from gpuplane.plan.workload_impact import Refusal, WorkloadImpact
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_statement import CostChange, CostComparison
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.gpuplane.versions.bases import MAIN

SAME = CostComparison((), ())
UNTOUCHED = "nothing that runs is touched"


def _outage(mechanism: Mechanism, **fields: object) -> Outage:
    pool = PoolNodes("lab", "h100", Span(4, 16), 8)
    return Outage(Rollout(mechanism, "h100", **fields), (pool,))  # type: ignore[arg-type] # as rows name them


def _total(figure: Figure, before: float, after: float) -> CostChange:
    return CostChange(View.TOTAL, "total", "USD", figure, before, after)


def _one_gpu(mechanism: Mechanism) -> Outage:
    return Outage(Rollout(mechanism, "l4"), (PoolNodes("lab", "l4", exactly(1), 1),))


def _costs(at_min: float, at_max: float) -> CostComparison:
    return CostComparison((_total(Figure.AT_MIN, 0, at_min), _total(Figure.AT_MAX, 0, at_max)), ())


def _pool(before: tuple[float | None, ...], after: tuple[float | None, ...]) -> CostComparison:
    figures = (Figure.AT_MIN, Figure.AT_MAX)
    sides = zip(figures, before, after, strict=True)
    return CostComparison(
        tuple(CostChange(View.POOL, "lab/l4", "USD", *each) for each in sides), ()
    )


NONE = (None, None)
IN_EUROS = CostComparison(
    (_total(Figure.AT_MIN, 100, 0), replace(_total(Figure.AT_MIN, 0, 92), currency="EUR")), ()
)
DEARER = CostComparison((_total(Figure.AT_MIN, 10, 30), _total(Figure.AT_MAX, 100, 1500)), ())


@pytest.mark.parametrize(
    ("outages", "cost", "said"),
    [
        ((), SAME, "no GPU is out; what nodes cost stays the same"),
        ((), None, "no GPU is out; what it costs is not known"),
        ((), _costs(0.3, 0.3), "no GPU is out; +0.30 USD a month"),
        ((), IN_EUROS, "no GPU is out; costs are told in EUR in place of USD"),
        ((), _pool(NONE, NONE), "no GPU is out; what lab/l4 costs is not known"),
        (
            (),
            _pool(NONE, (0, 1234.5)),
            (
                "no GPU is out; lab/l4 will cost 0 to 1,234 USD a month, and what it costs so far "
                "is not known"
            ),
        ),
        (
            (),
            _pool((730, 730), NONE),
            "no GPU is out; what lab/l4 will cost in place of 730 USD a month is not known",
        ),
        (
            (_one_gpu(Mechanism.MIG_LABEL),),
            _costs(-0.4, 12.3),
            (
                "1 GPU of lab/l4 is out at once, for 0 to 25 minutes; -0.40 USD a month with the "
                "fewest nodes, +12 with the most"
            ),
        ),
        (
            (_outage(Mechanism.MIG_LABEL),),
            DEARER,
            (
                "32 to 128 GPUs of lab/h100 are out at once, for 0 to 25 minutes; +20 USD a month "
                "with the fewest nodes, +1,400 with the most"
            ),
        ),
    ],
)
def test_it_says_gpus_time_and_cost(
    outages: tuple[Outage, ...], cost: CostComparison | None, said: str
) -> None:
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, cost=cost)
    assert headline(Plan(MAIN, (plan,), ())) == f"Safe: {UNTOUCHED}; {said}."


@pytest.mark.parametrize(
    ("outages", "successor", "said"),
    [
        ((), None, "32 to 128 GPUs are given to no new pod, as lab/h100 goes"),
        (
            (_outage(Mechanism.RELABELLING),),
            None,
            "32 to 128 GPUs are given to no new pod, as lab/h100 goes",
        ),
        ((_outage(Mechanism.POOL_DELETION),), None, "32 to 128 GPUs of lab/h100 go for good"),
        ((), "h100-batch", "no GPU is out"),
    ],
)
def test_the_gpus_of_a_pool_that_goes_are_told_where_its_machines_stay(
    outages: tuple[Outage, ...], successor: str | None, said: str
) -> None:
    gone = RemovedPool(PoolNodes("lab", "h100", Span(4, 16), 8), successor=successor)
    plan = ClusterPlan(
        "lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, removed_pools=(gone,), cost=SAME
    )
    assert headline(Plan(MAIN, (plan,), ())) == (
        f"Safe: {UNTOUCHED}; {said}; what nodes cost stays the same."
    )


@pytest.mark.parametrize(
    ("outage", "said"),
    [
        (_one_gpu(Mechanism.SCALE_IN), "1 GPU of lab/l4 goes for good"),
        (
            replace(_one_gpu(Mechanism.POOL_DELETION), is_held=True),
            "1 GPU of lab/l4 goes for good when somebody confirms it",
        ),
        (
            _outage(Mechanism.DRIVER_UPGRADE, limits=("1",)),
            "8 GPUs of lab/h100 are out at once, for at least 8 minutes",
        ),
        (
            _outage(Mechanism.DRIFT, limits=("1",), drain_seconds=3600),
            (
                "pods on 32 to 128 GPUs of lab/h100 move to new nodes, which come first, over 20 "
                "minutes to 17.3 hours"
            ),
        ),
        (
            _outage(Mechanism.DRIFT, limits=("0",)),
            "the nodes of lab/h100 are not replaced, as none may be disrupted",
        ),
        (
            _outage(Mechanism.RECREATION, drain_seconds=3600),
            (
                "no GPU is out; making lab/h100 anew would take 32 to 128 GPUs out, for 5 to 65 "
                "minutes"
            ),
        ),
        (
            _outage(Mechanism.OPERAND_REMOVAL),
            "32 to 128 GPUs of lab/h100 are out at once, for an unbounded time",
        ),
        (_outage(Mechanism.POOL_DELETION), "32 to 128 GPUs of lab/h100 go for good"),
        pytest.param(
            replace(_outage(Mechanism.POOL_DELETION), successor="h100-big"),
            (
                "32 to 128 GPUs of lab/h100 go at once, and lab/h100-big may bring as many of the "
                "same machines once pods need them"
            ),
            id="a pool that is only renamed does not go for good",
        ),
    ],
)
def test_it_says_what_becomes_of_gpus_by_mechanism(outage: Outage, said: str) -> None:
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=(outage,), cost=SAME)
    assert headline(Plan(MAIN, (plan,), ())) == (
        f"Safe: {UNTOUCHED}; {said}; what nodes cost stays the same."
    )


def test_what_one_cluster_costs_more_and_another_less_is_nothing() -> None:
    plans = tuple(
        ClusterPlan(name, Subject.LIVE, "1.0.0", "1.1.0", cost=_costs(amount, amount))
        for name, amount in (("a", 0.1), ("b", 0.2), ("c", -0.3))
    )
    assert "; +0 USD a month." in headline(Plan(MAIN, plans, ()))


def test_gpus_that_two_mechanisms_take_are_out_once() -> None:
    outages = (_outage(Mechanism.MIG_LABEL), _outage(Mechanism.DRIVER_UPGRADE, limits=("1",)))
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", outages=outages, cost=SAME)
    assert "; 32 to 128 GPUs of lab/h100 are out at once, for at least 8 minutes;" in headline(
        Plan(MAIN, (plan,), ())
    )


def test_what_is_only_rendered_does_nothing_yet() -> None:
    plan = ClusterPlan("lab", Subject.RENDERED, "1.0.0", "1.1.0", cost=SAME)
    assert headline(Plan(MAIN, (plan,), ())) == (
        f"Merging changes nothing that runs. Once promoted, it is safe: {UNTOUCHED}; no GPU is "
        "out; what nodes cost stays the same."
    )


def test_what_is_rendered_is_told_beside_what_a_merge_does() -> None:
    merged = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", cost=SAME)
    pin = PinChange(Pin(PinKind.CHART, "kueue"), "1", "2")
    later = ClusterPlan("lab", Subject.RENDERED, "1.1.0", "1.2.0", pins=(pin,), cost=SAME)
    assert headline(Plan(MAIN, (merged, later), ())) == (
        f"Safe: {UNTOUCHED}; no GPU is out; what nodes cost stays the same. Once promoted, it is "
        "rolling: pods restart, a few at a time; no GPU is out; what chart kueue 2 changes is not "
        "known; what nodes cost stays the same."
    )


def test_a_cluster_that_is_let_go_loses_nothing() -> None:
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", None, let_go=12)
    assert headline(Plan(MAIN, (plan,), ("serving",))) == (
        "Argo CD lets go, and nothing that it installed is removed."
    )


def test_nothing_may_change() -> None:
    assert headline(Plan(MAIN, (), ("lab",))) == "Nothing changes on any cluster."


@pytest.mark.parametrize(
    ("alike", "said"),
    [
        (("lab 1.0.0",), "lab 1.0.0 is live and rendered alike; "),
        (("a 1.0.0", "b 1.1.0"), "a 1.0.0, b 1.1.0 are each live and rendered alike; "),
    ],
)
def test_a_version_that_is_compared_with_itself_has_no_verdict(
    alike: tuple[str, ...], said: str
) -> None:
    hint = "to see what your edits do, compare with git: gpuplane plan --base REF"
    assert headline(Plan(None, (), (), alike=alike)) == f"{said}{hint}"


def test_one_limit_of_several_pools_takes_one_after_the_other() -> None:
    pools = (PoolNodes("lab", "h100", exactly(8), 8), PoolNodes("lab", "l4", exactly(4), 4))
    outage = Outage(Rollout(Mechanism.DRIVER_UPGRADE, "h100", limits=("1",)), pools)
    assert (outage.nodes, outage.gpus, outage.gpus_out) == (exactly(12), exactly(80), exactly(8))
    assert outage.minutes.low == 24


@pytest.mark.parametrize(
    ("count", "held", "named"),
    [
        (1, 0, "(Namespace n0)"),
        (5, 0, "(Namespace n0, Namespace n1, Namespace n2, 2 more)"),
        (1, 1, "when somebody confirms it (Namespace n0)"),
        (2, 1, "(Namespace n1), and when somebody confirms it (Namespace n0)"),
    ],
)
def test_of_what_is_dangerous_the_first_are_named_and_what_waits_is_told_apart(
    count: int, held: int, named: str
) -> None:
    effect = Effect(Verdict.DANGEROUS, "", "It goes.", "")
    objects = tuple(
        PlannedObject(
            PlacedObject("team", ObjectKey("", "Namespace", "", f"n{number}")),
            Change.REMOVED,
            (effect,),
            is_held=number < held,
        )
        for number in range(count)
    )
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", objects, cost=SAME)
    assert headline(Plan(None, (plan,), ())) == (
        f"Dangerous: data or many objects at once can be lost {named}; no GPU is out; what nodes "
        "cost stays the same."
    )


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        (("kueue",), "what chart kueue 1.1 changes is not known"),
        (("kueue", "lws"), "what chart kueue 1.1 and chart lws 1.1 change is not known"),
    ],
)
def test_what_no_record_says_of_a_chart_is_not_known(pins: tuple[str, ...], said: str) -> None:
    changes = tuple(PinChange(Pin(PinKind.CHART, name), "1.0", "1.1") for name in pins)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", pins=changes, cost=SAME)
    assert headline(Plan(MAIN, (plan,), ())) == (
        f"Rolling: pods restart, a few at a time; no GPU is out; {said}; what nodes cost stays the "
        "same."
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("kueue",), "chart kueue 1.0 becomes 1.1"),
        (
            ("kueue", "lws", "jobset", "opencost"),
            (
                "chart kueue 1.0 becomes 1.1; chart lws 1.0 becomes 1.1; chart jobset 1.0 becomes "
                "1.1; 1 more pinned version changes"
            ),
        ),
    ],
)
def test_charts_of_which_a_record_says_what_changes_are_named(
    names: tuple[str, ...], said: str
) -> None:
    pins = (PinChange(Pin(PinKind.CHART, name), "1.0", "1.1", rollout="Anew.") for name in names)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", pins=tuple(pins), cost=SAME)
    assert f"; {said}; what nodes cost" in headline(Plan(MAIN, (plan,), ()))


def test_a_file_that_is_not_what_was_rendered_is_told() -> None:
    plan = Plan(None, (), ("lab",), edited=("lab",))
    assert headline(plan) == "Nothing that is rendered changes."
    assert list(edited_lines(plan)) == [
        "lab is not rendered as clusters/ has it now: run gpuplane synth lab"
    ]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Job a/one",), "1 of 4 workloads of lab would be refused when it starts again"),
        (
            ("Job a/one", "Job a/two"),
            "2 of 4 workloads of lab would be refused when they start again",
        ),
    ],
)
def test_workloads_that_are_refused_once_they_start_again_are_no_safe_change(
    names: tuple[str, ...], said: str
) -> None:
    refused = tuple(Refusal(each, "spot", "") for each in names)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", cost=SAME)
    found = replace(plan, workloads=WorkloadImpact(4, refused))
    meant = MEANINGS[Verdict.DEFERRED]
    expected = f"Deferred: {meant}; no GPU is out; {said}; what nodes cost stays the same."
    assert headline(Plan(MAIN, (found,), ())) == expected
    assert headline(Plan(MAIN, (replace(plan, workloads=WorkloadImpact(4)),), ())).startswith(
        "Safe"
    )


def test_what_another_pre_release_adds_is_not_all_that_a_promotion_brings() -> None:
    plan = ClusterPlan("lab", Subject.RENDERED, "1.1.0-rc.1", "1.1.0-rc.2", cost=SAME)
    assert headline(Plan(MAIN, (replace(plan, is_increment=True),), ())) == (
        "Merging changes nothing that runs. What it adds to the next promotion is safe: "
        f"{UNTOUCHED}; no GPU is out; what nodes cost stays the same."
    )


@pytest.mark.parametrize(
    ("subject", "old", "new", "said"),
    [
        (Subject.LIVE, "1.35", "1.36", "merge it only once the control plane of lab runs 1.36"),
        (Subject.LIVE, "1.36", "1.35", "merge it only where the control plane of lab runs 1.35"),
        (
            Subject.RENDERED,
            "1.35",
            "1.36",
            "promote it only once the control plane of lab runs 1.36",
        ),
    ],
)
def test_an_upgrade_of_the_control_plane_comes_first(
    subject: Subject, old: str, new: str, said: str
) -> None:
    upgrade = KubernetesUpgrade(old, new)
    plan = ClusterPlan("lab", subject, "1.0.0", "2.0.0", cost=SAME, upgrade=upgrade)
    assert sentence([plan]) == (
        f"Safe: {UNTOUCHED}; {said}; no GPU is out; what nodes cost stays the same."
    )


@pytest.mark.parametrize(
    ("live", "said"),
    [
        (
            "1.0.0",
            (
                "What 1.0.0 lacks, which is live, is new (+); what it has (~, -) is compared with "
                "1.1.0, as it was rendered before, and so is cost."
            ),
        ),
        (
            None,
            (
                "Nothing is live: all objects are new (+), and cost is compared with 1.1.0, as it "
                "was rendered before."
            ),
        ),
    ],
)
def test_what_adds_to_a_promotion_says_what_it_is_compared_with(
    live: str | None, said: str
) -> None:
    plan = ClusterPlan("lab", Subject.RENDERED, "1.1.0", "1.1.0", not_known=("It is not known.",))
    assert [*plan_lines(plan)] == ["It is not known."]
    increment = replace(plan, is_increment=True, live=live)
    assert [*plan_lines(increment)] == [said, "It is not known."]
