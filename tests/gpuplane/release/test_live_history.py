"""What was live on a cluster, and since when."""

import datetime as dt

from gpuplane.release.live_history import LiveState, Part, PartKind, live_history
from gpuplane.versions.main_branch import MainBranch
from tests.gpuplane.release.conftest import NOW, RecordedChain
from tests.gpuplane.versions.conftest import run_git

FIRST = {Part(PartKind.TOOL): "0.1.0", Part(PartKind.FLEET, "policies"): "a"}
SECOND = {**FIRST, Part(PartKind.FLEET, "policies"): "b"}


def _ago(hours: float) -> dt.datetime:
    return NOW - dt.timedelta(hours=hours)


def _history(chain: RecordedChain) -> list[LiveState]:
    main = MainBranch(chain.dist).commit
    assert main is not None
    return [*live_history(main, chain.dist, "staging")]


STATES = [LiveState(_ago(30), "1.1.0", SECOND), LiveState(_ago(90), "1.0.0", FIRST)]


def test_the_latest_state_is_the_first(chain: RecordedChain) -> None:
    assert _history(chain) == STATES


def test_a_cluster_that_was_never_live_has_no_history(chain: RecordedChain) -> None:
    main = MainBranch(chain.dist).commit
    assert main is not None
    assert [*live_history(main, chain.dist, "never")] == []


def test_what_another_cluster_has_live_and_what_is_not_on_the_main_branch_does_not_count(
    chain: RecordedChain,
) -> None:
    chain.write("training", "1.1.0", "1.1.0")
    chain.commit()
    run_git(chain.directory, "checkout", "-b", "change")
    chain.write("staging", "1.2.0", "1.2.0")
    chain.commit()
    assert _history(chain) == STATES


def test_of_a_merge_its_own_time_counts(chain: RecordedChain) -> None:
    run_git(chain.directory, "checkout", "-b", "change")
    chain.write("staging", "1.2.0", "1.2.0")
    chain.commit(hours_ago=20)
    run_git(chain.directory, "checkout", "main")
    (chain.directory / "README.md").touch()
    chain.commit(hours_ago=10)
    chain.merge("change", hours_ago=5)
    assert _history(chain) == [LiveState(_ago(5), "1.2.0", SECOND), *STATES]


def test_what_has_no_record_that_is_understood_has_no_known_parts(chain: RecordedChain) -> None:
    chain.write("staging", "1.2.0", "1.2.0")
    record = chain.dist / "staging" / "1.2.0" / "release.json"
    record.write_text("{}", encoding="utf-8")
    chain.commit()
    assert _history(chain) == [LiveState(NOW, "1.2.0", {}), *STATES]


def test_a_live_version_that_is_rendered_anew_begins_again(chain: RecordedChain) -> None:
    chain.write("staging", "1.1.0", "1.1.0", policies="c")
    chain.commit()
    latest = LiveState(NOW, "1.1.0", {**FIRST, Part(PartKind.FLEET, "policies"): "c"})
    assert _history(chain) == [latest, *STATES]
