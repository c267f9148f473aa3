"""What a change does to clusters, by their files and versions here and at a base."""

import datetime as dt
from fractions import Fraction
from pathlib import Path
from shutil import rmtree

import pytest

from charts_py.cluster_file.cluster import FailOn
from charts_py.cluster_file.fault import SpecError
from gpuplane.plan.allocation_change import NO_CHANGE, DeclaredSize, TeamChange
from gpuplane.plan.effect import Change, Verdict
from gpuplane.plan.headline import NOTHING_CHANGES, base_lines, edited_lines, headline, sentence
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import Plan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.planning import PlanRequest, plan, plan_change
from gpuplane.plan.rollout import Mechanism, Rollout, Span, exactly
from gpuplane.plan.version_bump import Step, VersionBump
from gpuplane.release.edited_tree import edited_tree
from gpuplane.versions.base import find_base
from gpuplane.versions.comparison import Subject
from gpuplane.versions.snapshot import WorkTree
from gpuplane.versions.tree import DistError
from tests.gpuplane.plan.conftest import RULE, TEAM
from tests.gpuplane.versions.conftest import Repository, new_repository, repository
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version

__all__ = ["repository"]

RUNNING = {("lab", "h200"): 3}


def _plan(
    repository: Repository,
    *names: str,
    base: str | None = "HEAD",
    running: dict[tuple[str, str], int] | None = None,
    here: WorkTree | None = None,
) -> Plan:
    request = PlanRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        today=dt.date(2026, 11, 24),
        names=names,
        base=find_base(repository.clusters.parent, base),
        here=here or WorkTree(),
        running=running or {},
    )
    return plan(request)


def test_a_merge_is_planned_from_what_is_live_at_the_base(planned: Repository) -> None:
    found = _plan(planned)
    (cluster,) = found.clusters
    assert (found.verdict, found.unchanged) == (Verdict.DANGEROUS, ())
    assert (cluster.cluster, cluster.subject) == ("lab", Subject.LIVE)
    assert (cluster.old, cluster.new) == ("1.0.0", "1.1.0")
    assert [(each.placed.key.kind, each.change, each.is_held) for each in cluster.objects] == [
        ("Namespace", Change.REMOVED, True),
        ("NodeFeatureRule", Change.CHANGED, False),
    ]
    assert cluster.outages == (
        Outage(Rollout(Mechanism.MIG_LABEL, "h200"), (PoolNodes("lab", "h200", Span(0, 4), 8),)),
    )
    assert cluster.allocations.teams == (TeamChange("research", Fraction(8), Fraction(16)),)
    assert cluster.bump == VersionBump("1.0.0", "1.1.0", Step.MAJOR)
    assert (cluster.unsized, cluster.not_known) == ((), ())


def test_a_part_of_a_pool_that_goes_has_the_pool_as_its_successor(planned: Repository) -> None:
    node_pool = (
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: h200.minimum}\n"
        "spec: {replicas: 1, template: {metadata: {labels: {gpuplane.io/pool: h200}}}}\n"
    )
    rmtree(planned.dist)
    planned.write()
    write_version(planned.dist, "lab/1.0.0", minimum=node_pool)
    planned.commit()
    planned.write(version="1.1.0")
    write_version(planned.dist, "lab/1.1.0", team=TEAM)
    (cluster,) = _plan(planned, "lab").clusters
    found = {each.rollout.mechanism: each for each in cluster.outages}
    removal = found[Mechanism.POOL_DELETION]
    assert (removal.removes_nodes, removal.is_for_good, removal.successor) == (True, False, "h200")


def test_nodes_that_run_take_the_place_of_those_that_may(planned: Repository) -> None:
    (cluster,) = _plan(planned, "lab", running=RUNNING).clusters
    (outage,) = cluster.outages
    assert outage.pools == (PoolNodes("lab", "h200", exactly(3), 8, is_counted=True),)


def test_more_nodes_than_a_pool_can_have_are_refused(planned: Repository) -> None:
    with pytest.raises(DistError, match="nodes of lab/h200: 99 are more than the pool can have"):
        _plan(planned, "lab", running={("lab", "h200"): 99})


def test_without_a_base_what_is_live_is_compared_with_what_is_rendered(planned: Repository) -> None:
    planned.write(version="1.1.0", live="1.0.0")
    (cluster,) = _plan(planned, base=None).clusters
    assert (cluster.subject, cluster.old, cluster.new) == (Subject.RENDERED, "1.0.0", "1.1.0")


def _plan_change(repository: Repository) -> Plan:
    today = dt.date(2026, 11, 24)
    here = edited_tree(repository.clusters, repository.dist)
    return plan_change(PlanRequest(repository.clusters, repository.dist, today, here=here))


@pytest.mark.parametrize("is_rendered", [True, False])
def test_without_a_base_what_nobody_has_committed_is_compared_with_the_main_branch(
    repository: Repository, is_rendered: bool
) -> None:
    repository.render(version="1.0.0-rc.1")
    repository.commit()
    repository.write(version="1.0.0-rc.1", gpus=16)
    if is_rendered:
        repository.synth()
    found = _plan_change(repository)
    (cluster,) = found.clusters
    assert (cluster.subject, cluster.old, cluster.new) == (Subject.LIVE, "1.0.0-rc.1", "1.0.0-rc.1")
    assert cluster.allocations.teams == (TeamChange("research", Fraction(8), Fraction(16)),)
    assert cluster.cost is not None
    assert [*base_lines(found)] == ["Compared with main."]


def test_where_nothing_differs_from_the_main_branch_the_next_promotion_is_planned(
    repository: Repository,
) -> None:
    repository.release()
    assert headline(_plan_change(repository)) == NOTHING_CHANGES
    repository.render(version="1.1.0", live="1.0.0", gpus=16)
    repository.commit()
    found = _plan_change(repository)
    assert headline(found).startswith("Merging changes nothing that runs. Once promoted, it is ")
    assert (found.base, [*base_lines(found)]) == (None, [])


def test_an_edit_that_is_not_live_comes_with_a_promotion(repository: Repository) -> None:
    repository.release()
    repository.write(version="1.1.0-rc.1", live="1.0.0", gpus=16)
    here = edited_tree(repository.clusters, repository.dist)
    for base in (None, "main"):
        found = _plan(repository, base=base, here=here)
        assert headline(found).startswith("Merging changes nothing that runs. Once promoted, it is")


def test_a_live_version_that_is_the_rendered_one_is_not_compared_with_itself(
    planned: Repository,
) -> None:
    found = _plan(planned, base=None)
    assert (found.clusters, found.unchanged, found.alike) == ((), (), ("lab 1.1.0",))


@pytest.mark.parametrize(
    ("live", "bump"), [("1.0.0", VersionBump("1.0.0", "1.1.0-rc.1", Step.MAJOR)), (None, None)]
)
def test_a_step_after_a_pre_release_is_measured_from_the_last_release(
    planned: Repository, live: str | None, bump: VersionBump | None
) -> None:
    rmtree(planned.dist / "lab/1.1.0")
    if live is None:
        rmtree(planned.dist / "lab/1.0.0")
    write_version(planned.dist, "lab/1.1.0-rc.1", rule=RULE.format(layout="all-disabled"))
    planned.write(version="1.1.0-rc.1", live=live or "")
    planned.commit()
    rmtree(planned.dist / "lab/1.1.0-rc.1")
    write_version(planned.dist, "lab/1.1.0-rc.1", rule=RULE.format(layout="mig-1g.18gb-x7"))
    (cluster,) = _plan(planned).clusters
    assert (cluster.old, cluster.new, cluster.bump) == ("1.1.0-rc.1", "1.1.0-rc.1", bump)
    assert cluster.is_increment is (live is not None)


def test_a_version_that_only_waits_for_its_promotion_comes_after_what_a_merge_does(
    planned: Repository,
) -> None:
    planned.write(version="1.1.0", live="1.0.0")
    found = _plan(planned)
    assert [each.subject for each in found.clusters] == [Subject.RENDERED]
    assert (found.merged, found.clusters[0].is_later) == ((), True)


@pytest.mark.parametrize(
    ("live", "waiting", "is_held"), [(NAMESPACE, TEAM, False), (TEAM, NAMESPACE, True)]
)
def test_a_removal_waits_where_the_live_object_asks_for_it_whatever_waits_for_promotion(
    tmp_path: Path, live: str, waiting: str, is_held: bool
) -> None:
    planned = new_repository(tmp_path)
    planned.write(version="1.1.0-rc.1", live="1.0.0")
    write_version(planned.dist, "lab/1.0.0", team=live)
    write_version(planned.dist, "lab/1.1.0-rc.1", team=waiting)
    planned.commit()
    rmtree(planned.dist / "lab/1.1.0-rc.1")
    write_version(planned.dist, "lab/1.1.0-rc.1")
    (cluster,) = _plan(planned).clusters
    assert cluster.is_increment
    assert [(each.change, each.is_held) for each in cluster.objects] == [(Change.REMOVED, is_held)]


@pytest.mark.parametrize("live", ["1.0.0", "none"])
def test_what_was_never_live_is_removed_from_the_next_promotion_without_harm(
    tmp_path: Path, live: str
) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    file = planned.clusters / "lab.yaml"
    added = """\
  h100: {gpu: H100-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: training, nodes: {max: 4}}
"""
    planned.write(version="1.1.0-rc.1", live=live)
    text = file.read_text("utf-8")
    quota = text.replace("h200: 8}", "h200: 8, h100: 8}").replace("pools:\n", f"pools:\n{added}")
    file.write_text(quota, encoding="utf-8")
    planned.synth()
    planned.commit()
    rmtree(planned.dist / "lab" / "1.1.0-rc.1")
    file.write_text(text, encoding="utf-8")
    planned.synth()
    (cluster,) = _plan(planned).clusters
    assert (cluster.is_increment, cluster.verdict) == (True, Verdict.SAFE)
    assert (cluster.removed_pools, cluster.outages, cluster.restarts) == ((), (), ())
    assert cluster.allocations == NO_CHANGE
    assert [each.reason for each in cluster.removed[0].effects] == [
        "What is live lacks it, so nothing of it runs."
    ]


@pytest.mark.parametrize(("live", "waiting"), [(2, 4), (4, 2)])
def test_as_many_nodes_are_reached_as_what_is_live_can_have(
    tmp_path: Path, live: int, waiting: int
) -> None:
    planned = new_repository(tmp_path)
    pool = planned.clusters / "lab.yaml"
    for version, most, layout in (
        ("1.0.0", live, "all-disabled"),
        ("1.1.0", waiting, "all-disabled"),
        ("1.2.0", waiting, "mig-1g.18gb-x7"),
    ):
        planned.write(version=version, live="1.0.0")
        pool.write_text(pool.read_text("utf-8").replace("max: 4", f"max: {most}"), "utf-8")
        write_version(planned.dist, f"lab/{version}", rule=RULE.format(layout=layout))
        if version != "1.2.0":
            planned.commit()
    (cluster,) = (each for each in _plan(planned).clusters if each.new == "1.2.0")
    (outage,) = cluster.outages
    assert (cluster.old, cluster.is_increment) == ("1.1.0", True)
    assert outage.pools == (PoolNodes("lab", "h200", Span(0, live), 8),)


def test_what_becomes_live_again_changes_nothing_that_runs(tmp_path: Path) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    planned.render(version="1.1.0-rc.1", live="1.0.0", gpus=16)
    planned.commit()
    rmtree(planned.dist / "lab" / "1.1.0-rc.1")
    planned.render(version="1.1.0-rc.1", live="1.0.0", gpus=8)
    (cluster,) = _plan(planned).clusters
    assert cluster.allocations == NO_CHANGE
    assert {each.placed.component for each in cluster.objects} > {"team-research"}
    assert {effect.reason for each in cluster.objects for effect in each.effects} == {
        "It becomes what is live again, so nothing changes where it runs."
    }


def test_what_the_live_version_was_rendered_from_is_found_in_the_history(
    planned: Repository,
) -> None:
    planned.write(version="1.1.0", live="1.0.0", gpus=16)
    planned.commit()
    (cluster,) = _plan(planned, base=None).clusters
    assert cluster.allocations.teams == (TeamChange("research", Fraction(8), Fraction(16)),)


def test_what_the_last_commit_renders_is_known_too(planned: Repository) -> None:
    planned.write(version="1.2.0", live="1.0.0", gpus=24)
    write_version(planned.dist, "lab/1.2.0")
    (cluster,) = _plan(planned, base=None).clusters
    assert cluster.allocations.teams == (TeamChange("research", Fraction(8), Fraction(24)),)


def test_a_pool_that_had_no_price_is_named_by_its_file_in_git(planned: Repository) -> None:
    file = planned.clusters / "lab.yaml"
    file.write_text(file.read_text().replace("nodes: {max: 4}", "nodes: {max: 4}, price: 20"))
    (cluster,) = _plan(planned).clusters
    assert cluster.cost is not None
    assert [gap.fault.mark.file for gap in cluster.cost.unpriced] == ["HEAD:clusters/lab.yaml"]


def test_what_no_commit_renders_is_not_known(planned: Repository) -> None:
    (planned.dist / "lab" / "1.0.0").rename(planned.dist / "lab" / "0.9.0")
    planned.write(version="1.1.0", live="0.9.0")
    (cluster,) = _plan(planned, base=None).clusters
    assert (cluster.cost, bool(cluster.allocations)) == (None, False)
    assert cluster.not_known == (
        (
            "What lab 0.9.0 was rendered from is not known: git has no commit here with a cluster "
            "file that renders it."
        ),
    )


def test_a_cluster_that_is_let_go_keeps_its_objects(planned: Repository) -> None:
    planned.write(version="1.0.0", live="none")
    found = _plan(planned)
    cluster = found.merged[0]
    assert (cluster.let_go, cluster.objects, cluster.verdict) == (2, (), Verdict.SAFE)


def test_nothing_that_differs_leaves_a_cluster_unchanged(planned: Repository) -> None:
    planned.git("checkout", "--quiet", ".")
    found = _plan(planned)
    assert (found.clusters, found.unchanged) == ((), ("lab",))


@pytest.mark.parametrize(
    ("stated", "asked", "fails"),
    [
        ("", None, False),
        ("plan: {failOn: dangerous}\n", None, True),
        ("plan: {failOn: dangerous}\n", FailOn.NEVER, False),
        ("", FailOn.ROLLING, True),
    ],
)
def test_the_repository_says_on_which_verdict_a_plan_fails(
    planned: Repository, stated: str, asked: FailOn | None, fails: bool
) -> None:
    (planned.clusters / "fleet.yaml").write_text(stated or "plan: {}\n", encoding="utf-8")
    (cluster,) = _plan(planned).clusters
    assert cluster.fails(asked) is fails


def test_each_verdict_that_can_fail_is_a_verdict() -> None:
    assert [each.value for each in FailOn] == [
        *(verdict.word for verdict in Verdict if verdict > Verdict.SAFE),
        "never",
    ]


def test_a_malformed_record_of_a_pin_is_an_error_even_where_no_pin_changes(
    planned: Repository,
) -> None:
    folder = planned.clusters.parent / "pin-records"
    folder.mkdir()
    (folder / "a.yaml").write_text("kind: charts\n")
    with pytest.raises(SpecError, match=r'pin-records/a\.yaml:1: kind: unknown "charts"'):
        _plan(planned)


OPERATOR = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: gpu-operator
spec:
  source: {{chart: gpu-operator, targetRevision: {version}}}
"""
RECORD = """\
kind: chart
name: gpu-operator
from: v1
to: v2
changes: [{what: The device plugin restarts., verdict: rolling}]
rollout: No image of the driver changes.
sources: ["https://example.com/compare"]
"""


@pytest.mark.parametrize(
    ("record", "verdict", "asked", "said"),
    [
        (
            None,
            Verdict.DISRUPTIVE,
            Step.MAJOR,
            "Disruptive: running workloads may be disturbed; 0 to 8 GPUs of lab/h200 may be out ",
        ),
        (RECORD, Verdict.ROLLING, Step.MINOR, "Rolling: pods restart, a few at a time; no GPU "),
    ],
)
@pytest.mark.parametrize("before", ["1.0.0", "1.1.0-rc.1"])
def test_an_own_record_says_whether_a_chart_has_the_driver_loaded_anew(
    tmp_path: Path, before: str, record: str | None, verdict: Verdict, asked: Step, said: str
) -> None:
    repository = new_repository(tmp_path)
    repository.write(version=before)
    old, new = (OPERATOR.format(version=version) for version in ("v1", "v2"))
    rule = RULE.format(layout="all-disabled")
    for version in dict.fromkeys(("1.0.0", before)):
        write_version(repository.dist, f"lab/{version}", operator=old, rule=rule)
    repository.commit()
    write_version(repository.dist, "lab/1.1.0", operator=new, rule=rule)
    repository.write(version="1.1.0")
    if record is not None:
        (tmp_path / "pin-records").mkdir()
        (tmp_path / "pin-records" / "operator.yaml").write_text(record)
    (cluster,) = _plan(repository).clusters
    assert cluster.bump is not None
    assert (cluster.verdict, cluster.bump.asked) == (verdict, asked)
    assert sentence([cluster]).startswith(said)


def test_an_unknown_cluster_is_an_error_that_names_the_nearest(planned: Repository) -> None:
    with pytest.raises(DistError, match='unknown cluster "lap"; allowed: lab; nearest: lab'):
        _plan(planned, "lap")


def test_a_path_is_no_name_of_a_cluster(planned: Repository) -> None:
    with pytest.raises(DistError, match=r'unknown cluster "\.\./dist/lab"; allowed: lab$'):
        _plan(planned, "../dist/lab")


def test_machines_that_nobody_adds_or_removes_are_counted_where_no_object_differs(
    planned: Repository,
) -> None:
    rmtree(planned.dist)
    planned.write()
    write_version(planned.dist, "lab/1.0.0", team=TEAM)
    planned.commit()
    planned.write(version="1.1.0")
    write_version(planned.dist, "lab/1.1.0", spec_digest="other", team=TEAM)
    file = planned.clusters / "lab.yaml"
    file.write_text(file.read_text("utf-8").replace("{max: 4}", "{max: 2}"), "utf-8")
    found = _plan(planned)
    (cluster,) = found.clusters
    assert (cluster.verdict, cluster.objects) == (Verdict.SAFE, ())
    assert cluster.allocations.sizes == (DeclaredSize("h200", 4, 2, 8),)
    assert headline(found) == (
        "Safe: nothing that runs is touched; no GPU is out; quotas lose 16 GPUs of lab/h200, whose "
        "machines stay; what lab/h200 costs is not known."
    )
    (part,) = (each for each in parts(cluster, None) if each.title == "Capacity and quotas")
    assert part.commands == (
        "gpuplane queues lab",
        "kubectl get nodes --selector gpuplane.io/pool=h200",
    )
    assert part.notes[0].startswith(
        "h200 is stated to have 2 nodes of 8 GPUs in place of 4, so quotas can have 16 GPUs fewer. "
        "The merge removes no machine: "
    )


def test_what_others_have_merged_since_is_no_part_of_a_change(planned: Repository) -> None:
    planned.git("checkout", "-b", "change")
    planned.commit()
    planned.git("checkout", "main")
    planned.write("colleague", gpus=8)
    write_version(planned.dist, "colleague/1.0.0", team=TEAM)
    planned.commit()
    planned.git("checkout", "change")
    (cluster,) = _plan(planned, base="main").clusters
    assert (cluster.cluster, cluster.new) == ("lab", "1.1.0")


@pytest.mark.parametrize("base", [None, "HEAD"])
def test_a_file_that_was_edited_is_planned_as_it_renders(tmp_path: Path, base: str | None) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    planned.write(gpus=16)
    here = edited_tree(planned.clusters, planned.dist)
    found = _plan(planned, base=base, here=here)
    (cluster,) = found.clusters
    assert (found.rendered_here, found.edited, found.unchanged) == (("lab",), (), ())
    (line,) = edited_lines(found)
    assert line == (
        "lab is not rendered as clusters/ has it now: this is what gpuplane release lab would cut, "
        "as its version is released"
    )
    assert (cluster.old, cluster.new, cluster.not_known) == ("1.0.0", "1.0.1", ())
    assert cluster.allocations.teams == (TeamChange("research", Fraction(8), Fraction(16)),)
    assert cluster.bump == VersionBump("1.0.0", "1.0.1", Step.PATCH)
    # What is cut is another version than the one that `live` names.
    assert headline(found).startswith("Merging changes nothing that runs. Once promoted, it is ")


def test_a_roll_back_goes_live_with_the_merge_whatever_was_edited_beside_it(tmp_path: Path) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    planned.render(version="1.1.0", gpus=16)
    planned.commit()
    planned.write(version="1.1.0", live="1.0.0", gpus=24)
    found = _plan(planned, base="main", here=edited_tree(planned.clusters, planned.dist))
    (live,), (rendered,) = found.merged, (each for each in found.clusters if each.is_later)
    assert (live.old, live.new, rendered.old, rendered.new) == ("1.1.0", "1.0.0", "1.0.0", "1.1.1")
    # From 8 GPUs, which are live again then.
    assert rendered.allocations.teams == (TeamChange("research", Fraction(8), Fraction(24)),)


def test_what_stays_live_beside_another_version_asks_for_none(tmp_path: Path) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    planned.render(version="1.1.0", live="1.0.0", gpus=16)
    project = planned.dist / "lab" / "project.yaml"
    text = project.read_text("utf-8").replace("namespace: gpu-operator", "namespace: gpu-operators")
    project.write_text(text, encoding="utf-8")
    live = [each for each in _plan(planned, base="main").clusters if not each.is_later]
    assert [(each.old, each.new, each.bump) for each in live] == [("1.0.0", "1.0.0", None)]


def test_a_cluster_that_was_never_rendered_is_new(tmp_path: Path) -> None:
    planned = new_repository(tmp_path)
    planned.write()
    here = edited_tree(planned.clusters, planned.dist)
    (cluster,) = _plan(planned, base=None, here=here).clusters
    assert (cluster.old, cluster.new) == (None, "1.0.0")


def test_an_edit_that_was_committed_leaves_unknown_what_was_before(tmp_path: Path) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    planned.write(gpus=16)
    planned.commit()
    here = edited_tree(planned.clusters, planned.dist)
    (cluster,) = _plan(planned, base=None, here=here).clusters
    (said,) = cluster.not_known
    assert said == (
        "What lab 1.0.0 was rendered from is not known: its cluster file was edited, and committed "
        "so."
    )


def test_the_edits_of_cluster_files_are_told(planned: Repository) -> None:
    found = _plan(planned)
    assert {name: diff.splitlines()[2:5] for name, diff in found.edits.items()} == {
        "clusters/lab.yaml": [' kubernetes: "1.36"', "-version: 1.0.0", "-live: 1.0.0"]
    }
    assert [str(each.placed) for each in found.clusters[0].values] == ["part: NodeFeatureRule h200"]
    assert _plan(planned, base=None).edits == {}


def test_a_change_does_not_lift_the_verdict_that_fails_it(planned: Repository) -> None:
    fleet = planned.clusters / "fleet.yaml"
    planned.git("checkout", "--quiet", ".")
    fleet.write_text("plan: {failOn: rolling}\n", encoding="utf-8")
    planned.commit()
    fleet.write_text("plan: {failOn: never}\n", encoding="utf-8")
    planned.write(version="1.1.0", gpus=16)
    (cluster,) = _plan(planned).clusters
    assert (cluster.fail_on, cluster.fails()) == (FailOn.ROLLING, True)


@pytest.mark.parametrize("base", [None, "HEAD"])
def test_without_its_file_a_cluster_goes_on_as_long_as_its_folder_is_there(
    tmp_path: Path, base: str | None
) -> None:
    planned = new_repository(tmp_path)
    planned.release()
    (planned.clusters / "lab.yaml").unlink()
    found = _plan(planned, base=base)
    assert (found.clusters, found.unchanged) == ((), ("lab",) if base else ())
    rmtree(planned.dist / "lab")
    (gone,) = _plan(planned, base="HEAD").clusters
    assert (gone.new, gone.let_go > 0) == (None, True)


@pytest.mark.parametrize(
    ("modes", "verdict"),
    [(("warn", "enforce"), Verdict.DEFERRED), (("enforce", "warn"), Verdict.SAFE)],
)
def test_a_rule_that_the_api_server_begins_to_refuse_by_is_no_safe_change(
    tmp_path: Path, modes: tuple[str, str], verdict: Verdict
) -> None:
    planned = new_repository(tmp_path)
    file = planned.clusters / "lab.yaml"
    for mode in modes:
        planned.write()
        policies = f"policies: {{admission: in-tree-only, rules: {{privileged: {mode}}}}}\n"
        file.write_text(f"{file.read_text('utf-8')}{policies}", encoding="utf-8")
        if mode == modes[0]:
            planned.synth()
            planned.commit()
    found = _plan(planned, here=edited_tree(planned.clusters, planned.dist))
    assert [each.verdict for each in found.clusters] == [verdict]
