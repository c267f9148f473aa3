"""The page: what it says of a change that is refused in part, and of clusters as they are."""

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.fleet_report.fleet_page import fleet_page, report_of
from gpuplane.fleet_report.pool_use import Costs, Holder, Part
from gpuplane.fleet_report.report_page import Change, Decision, ReportPage
from gpuplane.plan.allocation_change import allocation_change
from gpuplane.plan.effect import Change as ObjectFate, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.restart import Holding, Restart
from gpuplane.plan.rollout import Mechanism, Rollout, exactly
from gpuplane.versions.base import find_base
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.gpuplane.fleet_report.conftest import AS_OF, REASON, REFUSAL, UNPLANNED, planned
from tests.gpuplane.versions.bases import MAIN
from tests.gpuplane.versions.conftest import new_repository
from upstream.kubernetes_version import KubernetesVersion

Sides = tuple[Platform, Platform]


@pytest.fixture
def refused(inference: Sides, tmp_path: Path) -> ReportPage:
    """Return the page of a change whose MIG layout GKE refuses."""
    before, after = inference
    return fleet_page(fleet_of((after,), tmp_path, AS_OF), planned(before, after, REFUSAL))


def _rows(page: ReportPage, section: str, table: int = 0) -> list[tuple[str, ...]]:
    (found,) = [each for each in page.sections if each.name == section]
    return [tuple(cell.text for cell in row) for row in found.tables[table].rows]


def _decision(page: ReportPage, kind: str) -> Decision:
    (found,) = [each for each in page.decisions if each.kind == kind]
    return found


def test_the_first_sentence_is_the_worst_verdict_and_its_worst_consequence(
    refused: ReportPage,
) -> None:
    assert refused.answer.sentence == "Part of this change is refused, yet its quotas shrink."
    assert refused.answer.detail == (
        "GKE cannot change the GPUs of a pool. inference/a100-mig keeps its 336 allocations "
        "(7 x 1g.10gb), and the quotas on them go from 336 to 144."
    )


def test_a_pool_that_refuses_a_change_is_drawn_and_counted_as_it_stays(refused: ReportPage) -> None:
    (pool,) = [each for each in refused.pools if each.pool == "a100-mig"]
    assert pool.layout == "7 x 1g.10gb"
    assert pool.parts == (
        Part(Holder.TEAM, "assistants", Fraction(48, 7)),
        Part(Holder.TEAM, "search", Fraction(96, 7)),
        Part(Holder.NOBODY, "", Fraction(192, 7)),
    )
    assert pool.notes == ("assistants: 16 → 6.9", "search: 32 → 13.7")
    assert pool.refusal == (
        "Refused: its file asks for 3 x 2g.20gb on 1 to 6 nodes. The pool stays as it is drawn, "
        "and its quotas change."
    )


def test_a_layout_that_is_taken_on_loses_a_part_of_each_gpu_and_saves_nothing(
    inference: Sides, tmp_path: Path
) -> None:
    before, after = inference
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), planned(before, after))
    (pool,) = [each for each in page.pools if each.pool == "a100-mig"]
    assert (pool.layout, pool.parts[-1]) == ("3 x 2g.20gb", Part(Holder.LOST, "", Fraction(48, 7)))
    assert page.clusters[0].at_most.now == page.clusters[0].at_most.was
    layout = _decision(page, "layout")
    assert layout.title == "inference/a100-mig: 3 x 2g.20gb leaves 1/7 of each GPU unused"
    assert layout.text == (
        "No quota can have 6.9 of the 48 GPUs. What quotas reserve less because of it is no "
        "saving: the nodes cost the same."
    )


def test_what_is_refused_is_to_be_decided_at_its_line_with_its_command(refused: ReportPage) -> None:
    first = refused.decisions[0]
    assert (first.kind, first.verdict) == ("not rendered", Verdict.DANGEROUS)
    decision = _decision(refused, "refused")
    assert decision == Decision(
        kind="refused",
        verdict=Verdict.IMMUTABLE,
        title="inference: ContainerNodePool node-pools/a100-mig",
        text=f"{REASON} Until then quotas count 144 of its 336 allocations, and nobody can have "
        "27.4 GPUs.",
        place=decision.place,
        command="gpuplane plan inference --base main",
        field="spec.gpuPartitionSize",
        source="https://example.com/why",
        teams=("assistants", "search"),
    )
    assert decision.place.endswith("after/inference.yaml:19")


def test_a_cluster_stands_before_and_after_and_says_what_has_no_price(refused: ReportPage) -> None:
    (row,) = refused.clusters
    assert row.verdict is Verdict.IMMUTABLE
    assert row.gpus_in_quotas == Change(Fraction(1264, 7), Fraction(208))
    assert row.at_most.now.without == 80
    assert [rung.merged for rung in refused.answer.rungs] == [(), (), (), (), ("inference",), ()]


def test_a_team_has_a_sentence_of_its_own(refused: ReportPage) -> None:
    search, assistants = refused.teams
    assert search.sentence == "search: 152 → 133.7 GPUs in quotas."
    assert search.detail == (
        "inference: a100-mig, l4-batch, l4-shared. It reserves $87k a month, without 80 GPUs that "
        "have no price, of a budget of $200k."
    )
    assert assistants.budget == Costs((("USD", 100_000),))


@pytest.mark.parametrize(
    ("subject", "when"), [(Subject.LIVE, ""), (Subject.RENDERED, ", once promoted")]
)
def test_a_rule_that_begins_to_refuse_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path, subject: Subject, when: str
) -> None:
    before = platform_after("eks")
    after = platform_after("eks", ("rules: {image-tag: warn}", "rules: {}"))
    change = ClusterPlan("sample", subject, "1.0.0", "1.0.1", before=before, asked=after)
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    decision = _decision(page, "refuses")
    assert replace(decision, place="") == Decision(
        kind="refuses",
        verdict=Verdict.DEFERRED,
        title=f"sample refuses pods by the rule image-tag from now on{when}",
        text="What runs stays, and may be refused when it starts again.",
        place="",
        command="gpuplane plan sample --base main",
    )
    assert decision.place.endswith("sample.yaml:64")


def test_a_rule_that_begins_to_change_pods_is_safe(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    before = platform_after("eks", ("rules: {image-tag: warn}", "rules: {shared-memory: warn}"))
    after = platform_after("eks", ("rules: {image-tag: warn}", "rules: {}"))
    change = ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, asked=after)
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    assert replace(_decision(page, "changes"), place="") == Decision(
        kind="changes",
        verdict=Verdict.SAFE,
        title="sample changes pods by the rule shared-memory from now on",
        text="What runs stays as it is, and is changed when it starts again.",
        place="",
        command="gpuplane plan sample --base main",
    )


def test_a_rule_that_no_longer_refuses_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    before = platform_after("eks")
    after = platform_after(
        "eks", ("rules: {image-tag: warn}", "rules: {image-tag: warn, host-ipc: audit}")
    )
    change = ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, asked=after)
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    decision = _decision(page, "refuses no longer")
    assert replace(decision, place="") == Decision(
        kind="refuses no longer",
        verdict=Verdict.SAFE,
        title="sample no longer refuses pods by the rule host-ipc",
        text="What the rule kept out so far can start from now on.",
        place="",
        command="gpuplane plan sample --base main",
    )
    assert decision.place.endswith("sample.yaml:65")


def test_an_exception_that_ends_later_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    before = platform_after("eks")
    after = platform_after("eks", ("expires: 2027-03-31", "expires: 2027-06-30"))
    change = ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, asked=after)
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    assert replace(_decision(page, "refuses later"), place="") == Decision(
        kind="refuses later",
        verdict=Verdict.SAFE,
        title=(
            "sample refuses pods by the rule host-ipc in research only after 2027-06-30 in place "
            "of 2027-03-31"
        ),
        text="What the exception lets pass can start until then.",
        place="",
        command="gpuplane plan sample --base main",
    )


def test_who_judges_pods_from_now_on_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    before = platform_after("eks")
    newer = before.cluster.model_copy(update={"kubernetes": KubernetesVersion.V1_36})
    after = replace(before, cluster=newer)
    change = ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, asked=after)
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    assert replace(_decision(page, "judged by others"), place="") == Decision(
        kind="judged by others",
        verdict=Verdict.SAFE,
        title=(
            "the API server judges pods on sample by policies of its own where the webhook does "
            "not answer"
        ),
        text="What runs stays: new and changed pods alone are judged.",
        place="",
        command="gpuplane plan sample --base main",
    )


def test_who_never_starts_again_is_to_be_decided_first_of_what_is_as_bad(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    before = platform_after("eks")
    gone = Restart("nvidia.com/gpu.shared", False, False, (Holding("research", 16, waiting=16),))
    drain = PlannedObject(
        PlacedObject("node-pools", ObjectKey("karpenter.sh", "NodePool", "", "a10g")),
        ObjectFate.CHANGED,
        (Effect(Verdict.DISRUPTIVE, "spec", "Its nodes drift.", ""),),
    )
    change = replace(
        ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, asked=before),
        objects=(drain,),
        restarts=(gone,),
    )
    page = fleet_page(fleet_of((before,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    disruptive = [each for each in page.decisions if each.verdict is Verdict.DISRUPTIVE]
    assert replace(disruptive[0], place="") == Decision(
        kind="never starts",
        verdict=Verdict.DISRUPTIVE,
        title=(
            "no pool offers nvidia.com/gpu.shared any more, and pods of sample/research that ask "
            "for it never start again"
        ),
        text="Before this goes live, have pods ask for what pools offer and quotas allow.",
        place="",
        command="gpuplane plan sample --base main",
        teams=("research",),
    )


@pytest.mark.parametrize(
    ("outages", "running"),
    [
        ((), "What runs stays, even above the quota"),
        (
            (
                Outage(
                    Rollout(Mechanism.POOL_DELETION, "a10g"),
                    (PoolNodes("sample", "a10g", exactly(1), 1),),
                ),
            ),
            "The same change stops pods on a10g",
        ),
    ],
    ids=["nothing stops", "the change stops its pods"],
)
def test_a_quota_that_loses_shares_and_no_gpu_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path, outages: tuple[Outage, ...], running: str
) -> None:
    halved = (("timeSlicing: 4", "timeSlicing: 2"), ("a10g: 16", "a10g: 8"))
    before, after = platform_after("eks"), platform_after("eks", *halved)
    change = replace(
        ClusterPlan("sample", Subject.LIVE, "1.0.0", "1.0.1", before=before, outages=outages),
        allocations=allocation_change(before, after),
    )
    page = fleet_page(fleet_of((after,), tmp_path, AS_OF), Plan(MAIN, (change,), ()))
    decision = _decision(page, "quota")
    assert replace(decision, place="") == Decision(
        kind="quota",
        verdict=Verdict.DEFERRED,
        title="sample/research loses 8 nvidia.com/gpu.shared of quota",
        text=f"{running}; what starts again may be refused or wait.",
        place="",
        command="gpuplane plan sample --base main",
        teams=("research",),
    )
    assert decision.place.endswith("sample.yaml:45")


@pytest.mark.parametrize(("is_known", "earlier"), [(True, "; before, 0 above"), (False, "")])
def test_a_budget_says_what_it_exceeded_before_only_where_that_is_known(
    inference: Sides, tmp_path: Path, is_known: bool, earlier: str
) -> None:
    after, _ = inference
    teams = after.cluster.teams
    lower = {**teams, "assistants": teams["assistants"].model_copy(update={"budget": 1_000})}
    above = replace(after, cluster=after.cluster.model_copy(update={"teams": lower}))
    before = after if is_known else None
    page = fleet_page(fleet_of((above,), tmp_path, AS_OF), planned(before, above))
    (reserved,) = (each.reserved.amounts[0][1] for each in page.teams if each.team == "assistants")
    assert _decision(page, "budget").text == f"It reserves {reserved:,.0f} of 1,000{earlier}."


def test_what_nobody_has_set_yet_is_to_be_decided(
    platform_after: PlatformWith, tmp_path: Path
) -> None:
    name, role = "clusterName: training", "nodeRole: training-gpu-nodes"
    unset = ((name, "clusterName: example"), (role, "nodeRole: change-me"))
    fleet = fleet_of((platform_after("eks", *unset),), tmp_path, AS_OF)
    decision = _decision(fleet_page(fleet, UNPLANNED), "placeholder")
    assert decision.place.endswith("sample.yaml:9")
    assert replace(decision, place="") == Decision(
        kind="placeholder",
        verdict=Verdict.DISRUPTIVE,
        title="sample: eks.clusterName is still to be set",
        text="example is a placeholder; allowed: the cluster's name in EKS, such as training. "
        "1 other field likewise.",
        place="",
        command="gpuplane synth sample",
        field="eks.clusterName",
    )


def test_a_cluster_that_is_not_rendered_stands_there_with_the_command(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    (row,) = page.clusters
    assert (row.cluster, row.missing, row.command) == (
        "sample",
        "1.0.0 is not rendered",
        "gpuplane synth sample",
    )
    assert page.answer.sentence == "sample: not rendered yet."
    assert page.decisions[0].title == "sample: 1.0.0 is not rendered"
    assert ("not rendered", "sample", "1.0.0 is not in dist/.") in _rows(page, "unknown")
    # 24 H100, 12 on spot, and of A100 8 x 1, 4 x 2 and 4 x 3 sevenths
    assert [row.gpus_in_quotas.now, row.gpus_at_most.now] == [40, 64]


def test_a_cluster_without_a_file_any_more_stands_there_with_what_is_let_go(fleet: Fleet) -> None:
    gone = ClusterPlan("old", Subject.LIVE, "1.0.0", None, let_go=3)
    page = fleet_page(fleet, Plan(MAIN, (gone,), ()))
    assert page.answer.sentence == "Argo CD lets go of old."
    assert page.answer.costs[0].costs.was is None
    assert [(row.cluster, row.objects) for row in page.clusters] == [("sample", 0), ("old", 3)]
    assert _decision(page, "goes").text == (
        "Argo CD lets go of its 3 objects: they and its GPUs stay until somebody removes them."
    )


def test_objects_with_the_same_reason_are_decided_as_one(inference: Sides, tmp_path: Path) -> None:
    before, after = inference
    key = replace(REFUSAL.placed.key, name="other")
    other = replace(REFUSAL, placed=replace(REFUSAL.placed, key=key), pools=())
    fleet = fleet_of((after,), tmp_path, AS_OF)
    page = fleet_page(fleet, planned(before, after, REFUSAL, other))
    assert _decision(page, "refused").title == (
        "inference: ContainerNodePool node-pools/a100-mig and 1 more"
    )


@pytest.mark.parametrize(
    ("day", "state", "titles"),
    [
        ("2027-02-28", "31 days left", []),
        ("2027-03-30", "1 day left", ["ends in 1 day"]),
        ("2027-04-01", "expired, the rule applies again", ["has ended, and the rule applies"]),
    ],
)
def test_an_exception_is_to_be_decided_before_it_ends(
    example: Load, tmp_path: Path, day: str, state: str, titles: list[str]
) -> None:
    platform = example("training")
    page = fleet_page(fleet_of((platform,), tmp_path, dt.date.fromisoformat(day)), UNPLANNED)
    (row,) = _rows(page, "policies", 1)
    assert row[:5] == ("2027-03-31", state, "training", "research-training", "host-ipc")
    place = "training: the exception to host-ipc in research-training"
    found = [each.title for each in page.decisions if each.kind == "exception"]
    assert found == [f"{place} {each}" for each in titles]


def test_each_fold_says_what_it_comes_to(example: Load, tmp_path: Path) -> None:
    platforms = [example(name) for name in ("inference", "training", "onprem", "mixed")]
    page = fleet_page(fleet_of(platforms, tmp_path, dt.date(2027, 1, 1)), UNPLANNED)
    findings = {section.name: section.finding for section in page.sections}
    assert findings["policies"] == "33 rules, enforced everywhere but image-tag; 1 exception"
    assert findings["prices"] == "6 of 14 pools have none"
    assert findings["priorities"] == (
        "teams evict each other's pods on 3 pools: inference/a100-mig, inference/l4-shared, "
        "training/h100-spot"
    )
    assert findings["network"] == "not known, as nothing is rendered"


def test_clusters_whose_ladders_are_equal_share_its_rows(example: Load, tmp_path: Path) -> None:
    platforms = [example(name) for name in ("training", "onprem", "mixed")]
    page = fleet_page(fleet_of(platforms, tmp_path, dt.date(2027, 1, 1)), UNPLANNED)
    rows = _rows(page, "priorities", 1)
    assert [row[0] for row in rows] == ["mixed"] * 7 + ["onprem, training"] * 7


def test_the_order_in_which_clusters_are_given_is_of_no_matter(
    example: Load, tmp_path: Path
) -> None:
    platforms = [example(name) for name in ("training", "onprem")]
    day = dt.date(2027, 1, 1)
    one, other = (
        fleet_page(fleet_of(given, tmp_path, day), UNPLANNED)
        for given in (platforms, platforms[::-1])
    )
    assert one == other
    assert one != replace(one, as_of=dt.date(2027, 1, 2))


def test_after_a_roll_back_all_figures_are_of_what_goes_live(tmp_path: Path) -> None:
    repository = new_repository(tmp_path)
    repository.release()
    repository.render(version="1.1.0", gpus=16)
    repository.commit()
    repository.render(version="1.1.0", live="1.0.0", gpus=16)
    page = report_of(repository.clusters, repository.dist, base=find_base(tmp_path, "main"))
    ((*_, own, _, _, _),) = _rows(page, "borrowing")
    assert (page.teams[0].gpus_in_quotas.now, own) == (Fraction(8), "8")
