"""Having versions go live along a chain of clusters."""

import datetime as dt
import shutil
from dataclasses import replace

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.release.judgement import Judgement
from gpuplane.release.promotion import check_moves, plan_promotion, promote, trailer
from gpuplane.release.rules import Reason, Rule
from gpuplane.versions.entries import ReleasedError
from gpuplane.versions.tree import DistError, read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.release.conftest import CHAIN, NOW, RecordedChain, RenderedChain
from tests.gpuplane.versions.conftest import run_git

HAS_RUN = "staging has run fleet.yaml policies since 2026-07-09T06:00Z"
FREEZE = (
    "  freezes: [{from: 2026-07-01T00:00Z, to: 2026-08-01T00:00+02:00, reason: end of quarter}]\n"
)
HOLD = "  hold: {reason: waits for a driver, owner: jo@example.com, until: 2026-07-10}\n"
FROZEN = Reason(
    Rule.FREEZE,
    "end of quarter",
    dt.datetime(2026, 8, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))),
)
HELD = Reason(
    Rule.HOLD, "waits for a driver (owner: jo@example.com)", dt.datetime(2026, 7, 11, tzinfo=dt.UTC)
)


def _judged(chain: RecordedChain, version: str | None = None, hours: float = 0) -> Judgement:
    request = chain.request("training", version=version)
    (judgement,) = plan_promotion(replace(request, now=NOW + dt.timedelta(hours=hours))).judgements
    return judgement


def _found(judgement: Judgement) -> tuple[tuple[Reason, ...], tuple[str, ...], tuple[str, ...]]:
    return judgement.refusals, judgement.warnings, judgement.notes


def test_a_change_goes_live_once_the_cluster_before_has_run_it(chain: RecordedChain) -> None:
    assert _found(_judged(chain)) == ((), (), (HAS_RUN,))
    what = "staging has run fleet.yaml policies for 23 h of 24 h, since 2026-07-09T06:00Z"
    refusal = Reason(Rule.CHAIN, what, dt.datetime(2026, 7, 10, 6, tzinfo=dt.UTC))
    assert _found(_judged(chain, hours=-7)) == ((refusal,), (), ())


def test_promoting_moves_live_alone(rendered: RenderedChain) -> None:
    before = read_tree(rendered.directory)
    promote(plan_promotion(rendered.request("training")))
    after = read_tree(rendered.directory)
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path for path in changed if not path.startswith(".git/")} == {
        "clusters/training.yaml",
        "dist/training/live-application.yaml",
    }
    old, new = (tree["clusters/training.yaml"] for tree in (before, after))
    assert new == old.replace(b"live: 1.1.0", b"live: 1.2.0")
    assert rendered.synth(check=True).is_current


def test_a_cluster_file_without_live_gets_one(rendered: RenderedChain) -> None:
    rendered.write("training", version="1.2.0", live="", gpus=16)
    promote(plan_promotion(rendered.request("training", version="1.1.0")))
    text = (rendered.clusters / "training.yaml").read_text("utf-8")
    assert "version: 1.2.0\nlive: 1.1.0\n" in text


def test_what_cannot_be_rendered_leaves_the_file_as_it_was(rendered: RenderedChain) -> None:
    plan = plan_promotion(rendered.request("training"))
    rendered.write("training", version="1.2.0", live="1.1.0", gpus=32)
    before = read_tree(rendered.clusters)
    with pytest.raises(ReleasedError):
        promote(plan)
    assert read_tree(rendered.clusters) == before


def test_of_the_cluster_before_its_history_counts(chain: RecordedChain) -> None:
    chain.write("staging", "1.1.0", "1.0.0")
    assert _judged(chain).refusals == ()
    chain.commit()
    rolled_back = (
        "staging was rolled back from 1.1.0 to 1.0.0 at 2026-07-10T12:00Z, "
        "and so from fleet.yaml policies"
    )
    assert _judged(chain).refusals == (Reason(Rule.CHAIN, rolled_back),)


def test_a_roll_back_anywhere_on_the_chain_stops_the_change(chain: RecordedChain) -> None:
    chain.write_fleet(chain=[*CHAIN, "serving"])
    chain.write("serving", "1.0.0", "1.0.0", policies="a")
    chain.write("training", "1.1.0", "1.1.0")
    chain.commit(hours_ago=26)
    chain.write("serving", "1.1.0", "1.0.0")
    chain.write("staging", "1.1.0", "1.0.0")
    chain.commit(hours_ago=1)
    (judgement,) = plan_promotion(chain.request("serving")).judgements
    what = (
        "staging was rolled back from 1.1.0 to 1.0.0 at 2026-07-10T11:00Z, "
        "and so from fleet.yaml policies"
    )
    assert judgement.refusals == (Reason(Rule.CHAIN, what),)


def test_a_version_that_a_cluster_was_rolled_back_from_does_not_go_live_there_again(
    chain: RecordedChain,
) -> None:
    for live, hours in (("1.1.0", 4), ("1.0.0", 2)):
        chain.write("training", "1.1.0", live)
        chain.commit(hours)
    what = "training was rolled back from 1.1.0 to 1.0.0 at 2026-07-10T10:00Z"
    assert _judged(chain).refusals == (Reason(Rule.CHAIN, what),)
    chain.write("training", "1.1.1", "1.0.0", quota=16)
    assert _judged(chain).refusals == ()


def test_going_back_is_warned_of_and_never_refused(chain: RecordedChain) -> None:
    chain.write("training", "1.1.0", "1.1.0")
    chain.write_fleet(FREEZE + HOLD)
    chain.commit()
    judgement = _judged(chain, "1.0.0")
    assert judgement.move.is_rollback
    assert judgement.refusals == ()
    assert judgement.warnings[-2:] == tuple(
        f"going back is not held up by {reason}" for reason in (HELD, FROZEN)
    )


@pytest.mark.parametrize("merged", [False, True])
def test_a_lower_number_that_was_never_live_is_no_way_back(
    chain: RecordedChain, merged: bool
) -> None:
    chain.write("training", "1.1.0", "1.1.0")
    chain.write_fleet(HOLD)
    chain.commit()
    chain.write("training", "1.0.5", "1.1.0", policies="c")
    if merged:
        chain.commit()
    judgement = _judged(chain, "1.0.5")
    assert not judgement.move.is_rollback
    assert judgement.refusals == (HELD,)


def test_other_objects_under_the_name_of_what_was_live_are_no_way_back(
    chain: RecordedChain,
) -> None:
    chain.write("training", "1.1.0", "1.1.0")
    chain.write_fleet(HOLD)
    chain.commit()
    chain.write("training", "1.0.0", "1.0.0", policies="a", quota=64)
    assert _judged(chain, "1.0.0").refusals == (HELD,)


@pytest.mark.parametrize(
    ("rule", "reason"), [(FREEZE, FROZEN), (HOLD, HELD)], ids=["freeze", "hold"]
)
def test_a_freeze_or_a_hold_refuses_with_its_end(
    chain: RecordedChain, rule: str, reason: Reason
) -> None:
    chain.write_fleet(rule)
    assert _judged(chain).refusals == (reason,)
    assert _judged(chain, hours=24 * 30).refusals == ()


def test_a_rule_of_the_main_branch_is_not_lifted_by_what_uses_it(chain: RecordedChain) -> None:
    chain.write_fleet(HOLD)
    chain.commit()
    chain.write_fleet()
    assert _judged(chain).refusals == (HELD,)


def test_a_cluster_may_state_a_rule_of_its_own(chain: RecordedChain) -> None:
    file = chain.clusters / "training.yaml"
    own = "promotion: {soakHours: 48}\n"
    file.write_text(file.read_text("utf-8") + own, encoding="utf-8")
    assert [each.what for each in _judged(chain).refusals] == [
        "staging has run fleet.yaml policies for 30 h of 48 h, since 2026-07-09T06:00Z"
    ]


def test_a_change_of_a_cluster_alone_waits_for_none(chain: RecordedChain) -> None:
    chain.write("training", "1.1.0", "1.1.0")
    chain.commit()
    chain.write("training", "1.2.0", "1.1.0", quota=16)
    assert _found(_judged(chain)) == ((), (), ())


def test_a_version_that_is_not_rendered_is_named(chain: RecordedChain) -> None:
    message = message_of(DistError, plan_promotion, chain.request("training", version="1.1.1"))
    place = chain.dist / "training"
    known = "allowed: 1.0.0, 1.1.0; nearest: 1.1.0"
    assert message == f'unknown version "1.1.1" in {place}; {known}'


def test_a_version_that_its_file_names_and_nothing_rendered_is_to_be_rendered(
    chain: RecordedChain,
) -> None:
    file = chain.clusters / "training.yaml"
    file.write_text("version: 1.2.0\nlive: 1.0.0\n", encoding="utf-8")
    message = message_of(DistError, plan_promotion, chain.request("training"))
    place = chain.dist / "training"
    remedy = "render it first: gpuplane synth training"
    assert message == f"{file}: version 1.2.0 is not in {place}; {remedy}"


def test_without_git_what_the_work_tree_has_live_is_live(
    chain: RecordedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(chain.directory / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(chain.directory.parent))
    plan = plan_promotion(chain.request("training", version="1.0.0"))
    assert (plan.judgements, [each.version for each in plan.live]) == ((), ["1.0.0"])
    assert check_moves(chain.request()).judgements == ()


@pytest.mark.parametrize("text", ["promotion: {soakHours: many}\n", "promotion: }\n"])
def test_rules_that_are_not_understood_are_told_with_their_line(
    chain: RecordedChain, text: str
) -> None:
    file = chain.clusters / "training.yaml"
    file.write_text(f"version: 1.1.0\nlive: 1.0.0\n{text}", encoding="utf-8")
    with pytest.raises((DistError, SpecError)) as caught:
        plan_promotion(chain.request("training"))
    assert f"{file}:3:" in str(caught.value)


def _goes_live(chain: RecordedChain) -> None:
    run_git(chain.directory, "checkout", "-b", "change")
    chain.write_fleet(HOLD)
    chain.write("training", "1.1.0", "1.1.0")


def test_a_pull_request_is_checked_for_what_it_has_go_live(chain: RecordedChain) -> None:
    assert check_moves(chain.request()).judgements == ()
    _goes_live(chain)
    chain.commit()
    (judgement,) = check_moves(chain.request()).judgements
    assert str(judgement.move) == "training: 1.0.0 -> 1.1.0"
    assert _found(judgement) == ((HELD,), (), (HAS_RUN,))


@pytest.mark.parametrize("instead", [None, "0.17.0"], ids=["none", "another"])
def test_a_pull_request_cannot_keep_a_chart_away_from_the_cluster_before(
    chain: RecordedChain, instead: str | None
) -> None:
    for name in CHAIN:
        chain.write(name, "1.2.0", "1.2.0", kueue="0.18.0")
    chain.commit()
    chain.write("staging", "1.3.0", "1.3.0", kueue=instead)
    chain.write("training", "1.3.0", "1.3.0", kueue="0.19.0")
    found = {each.move.cluster: _found(each) for each in check_moves(chain.request()).judgements}
    first = "staging does not run what it renders: gpuplane promote staging first"
    refusal = Reason(Rule.CHAIN, "staging has not run chart kueue 0.19.0")
    assert found["training"] == ((refusal,), (first,), ())


def test_a_trailer_of_a_commit_overrides_what_refuses(chain: RecordedChain) -> None:
    _goes_live(chain)
    (judgement,) = check_moves(chain.request()).judgements
    chain.commit(message=f"Go on\n\n{trailer(judgement.move, 'an outage')}")
    plan = check_moves(chain.request())
    assert (plan.is_refused, plan.judgements[0].override) == (False, "an outage")


def test_a_live_version_that_is_rendered_anew_goes_live_again(chain: RecordedChain) -> None:
    chain.write("training", "1.2.0-rc.1", "1.2.0-rc.1")
    chain.commit()
    chain.write("training", "1.2.0-rc.1", "1.2.0-rc.1", quota=16)
    (judgement,) = check_moves(chain.request()).judgements
    assert str(judgement.move) == "training: 1.2.0-rc.1 -> 1.2.0-rc.1"
    warning, *_ = judgement.warnings
    assert warning == (
        "1.2.0-rc.1 is no release: whatever is rendered under it next goes live with the merge; "
        "gpuplane release training cuts one first"
    )


def test_going_back_to_what_is_live_on_the_main_branch_is_no_move(chain: RecordedChain) -> None:
    run_git(chain.directory, "checkout", "-b", "change")
    chain.write("training", "1.2.0", "1.2.0", quota=16)
    chain.commit()
    (judgement,) = plan_promotion(chain.request("training", version="1.0.0")).judgements
    assert str(judgement.move) == "training: 1.0.0 stays live, as on the main branch"


def test_what_went_live_on_the_main_branch_since_is_not_taken_back(chain: RecordedChain) -> None:
    run_git(chain.directory, "checkout", "-b", "change")
    run_git(chain.directory, "commit", "--allow-empty", "--message", "Change")
    run_git(chain.directory, "checkout", "main")
    chain.write("training", "1.2.0", "1.2.0", quota=16)
    chain.commit()
    run_git(chain.directory, "checkout", "change")
    assert check_moves(chain.request()).judgements == ()


def test_a_shallow_clone_says_why_it_may_not_know(
    chain: RecordedChain, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chain.write_fleet("  soakHours: 48\n")
    chain.commit()
    clone = tmp_path_factory.mktemp("clone")
    run_git(clone, "clone", "--depth", "1", f"file://{chain.directory}", ".")
    judgement = _judged(RecordedChain(clone))
    assert judgement.refusals
    assert judgement.warnings == (
        "this clone is shallow, and may lack when staging began: git fetch --unshallow",
    )
