"""The rules of promotion: the chain, and whether a cluster has run a change for long enough."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from charts_py.rendering.rendering import PinnedChart
from gpuplane.release.live_history import LiveState, Move, Part, PartKind, Parts
from gpuplane.release.rules import (
    Predecessor,
    Reason,
    Rule,
    Run,
    Soak,
    chain_reason,
    latest_run,
    soak_of,
)
from tests.gpuplane.versions.rendered_versions import RECORD

BEGIN = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)


def _hour(number: int) -> dt.datetime:
    return BEGIN + dt.timedelta(hours=number)


def _state(hour: int, version: str | None, tool: str = "") -> LiveState:
    return LiveState(_hour(hour), version, {TOOL: tool} if version else {})


TOOL = Part(PartKind.TOOL)
FIRST, SECOND, THIRD = _state(0, "1.0.0", "1"), _state(10, "1.1.0", "2"), _state(20, "1.2.0", "2")
STOPPED, BACK = _state(30, None), _state(30, "1.0.0", "1")
NOW = dt.datetime(2026, 7, 2, 12, tzinfo=dt.UTC)
POLICIES = Part(PartKind.FLEET, "policies")
KUEUE = Part(PartKind.CHART, "kueue")
OLD = replace(
    RECORD,
    charts=(PinnedChart("kueue", "0.18.0", "https://example.com"),),
    shared={"policies": "a"},
)
NEW = replace(OLD, version="1.1.0", tool_version="0.2.0", files={"a.yaml": "b"})
MOVE = Move("training", OLD, "1.0.0", NEW)


def _hours_ago(hours: float) -> dt.datetime:
    return NOW - dt.timedelta(hours=hours)


def _staging(rendered: Parts, *states: LiveState, live: Parts | None = None) -> Predecessor:
    """Staging, which runs what it renders unless something else is live."""
    settled = live is None
    return Predecessor(rendered, rendered if settled else live or {}, settled, states)


def test_a_change_of_the_clusters_own_waits_for_none() -> None:
    move = replace(MOVE, new=replace(NEW, tool_version="0.1.0"))
    soak = soak_of(move, _staging({}), is_rendered=True)
    assert (soak, chain_reason(soak, "staging", 24, NOW)) == (Soak({}, {}), None)


def test_what_the_cluster_before_renders_as_well_it_has_to_have_run() -> None:
    before = _staging({TOOL: "0.2.0"})
    soak = soak_of(MOVE, before, is_rendered=True)
    assert soak == Soak({TOOL: "0.2.0"}, {})
    assert chain_reason(soak, "staging", 24, NOW) == Reason(
        Rule.CHAIN, "staging has not run gpuplane 0.2.0"
    )


def test_what_changes_nothing_of_the_cluster_before_is_not_asked_of_it() -> None:
    """Both render the same sources, so that its version would be another if it changed anything."""
    soak = soak_of(MOVE, _staging({TOOL: "0.1.0"}), is_rendered=True)
    assert soak == Soak({}, {TOOL: "0.2.0"})


def test_what_a_cluster_renders_and_does_not_run_leaves_nothing_untried() -> None:
    """Its file may differ just so that a change does not reach it."""
    before = _staging({TOOL: "0.1.0"}, live={TOOL: "0.1.0"})
    assert soak_of(MOVE, before, is_rendered=True) == Soak({TOOL: "0.2.0"}, {})


@pytest.mark.parametrize(
    ("rendered", "live"),
    [({KUEUE: "0.18.0"}, None), ({}, {KUEUE: "0.18.0"}), ({KUEUE: "0.17.0"}, {})],
    ids=["another version", "only live", "only rendered"],
)
def test_a_chart_that_the_cluster_before_has_in_any_version_it_has_to_have_run(
    rendered: Parts, live: Parts | None
) -> None:
    charts = (PinnedChart("kueue", "0.19.0", "https://example.com"),)
    move = replace(MOVE, new=replace(OLD, version="1.1.0", charts=charts))
    before = _staging(rendered, live=live)
    assert soak_of(move, before, is_rendered=True) == Soak({KUEUE: "0.19.0"}, {})


def test_of_a_version_that_is_rendered_no_more_only_charts_can_be_missing() -> None:
    charts = (PinnedChart("kueue", "0.19.0", "https://example.com"),)
    move = replace(MOVE, new=replace(NEW, charts=charts))
    soak = soak_of(move, _staging({TOOL: "0.3.0"}), is_rendered=False)
    assert soak == Soak({TOOL: "0.2.0"}, {KUEUE: "0.19.0"})


def test_a_field_that_the_fleet_has_no_more_is_a_change() -> None:
    move = replace(MOVE, new=replace(OLD, version="1.1.0", shared={}))
    state = LiveState(_hours_ago(30), "1.0.0", {TOOL: "0.1.0"})
    soak = soak_of(move, _staging({TOOL: "0.1.0"}, state), is_rendered=True)
    assert soak == Soak({POLICIES: ""}, {}, Run("1.0.0", _hours_ago(30)))


AFTER = LiveState(_hours_ago(2), "1.2.0", {})


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (Run("1.1.0", _hours_ago(24)), None),
        (
            Run("1.1.0", _hours_ago(23.5)),
            Reason(
                Rule.CHAIN,
                "staging has run gpuplane 0.2.0 for 23.5 h of 24 h, since 2026-07-01T12:30Z",
                NOW + dt.timedelta(hours=0.5),
            ),
        ),
        (Run("1.1.0", _hours_ago(26), AFTER), None),
        (
            Run("1.1.0", _hours_ago(25), AFTER),
            Reason(
                Rule.CHAIN, "staging ran gpuplane 0.2.0 for 23 h of 24 h, until 2026-07-02T10:00Z"
            ),
        ),
        (
            Run("1.3.0", _hours_ago(90), AFTER),
            Reason(
                Rule.CHAIN,
                "staging was rolled back from 1.3.0 to 1.2.0 at 2026-07-02T10:00Z, "
                "and so from gpuplane 0.2.0",
            ),
        ),
    ],
)
def test_a_change_goes_on_once_it_has_run_for_the_hours(run: Run, reason: Reason | None) -> None:
    assert chain_reason(Soak({TOOL: "0.2.0"}, {}, run), "staging", 24, NOW) == reason


def test_a_run_begins_with_the_first_version_that_has_the_change() -> None:
    assert latest_run([THIRD, SECOND, FIRST], {TOOL: "2"}) == Run("1.2.0", _hour(10))


def test_a_run_ends_with_what_comes_after_it() -> None:
    assert latest_run([THIRD, SECOND, FIRST], {TOOL: "1"}) == Run("1.0.0", _hour(0), SECOND)


def test_what_stops_being_live_runs_no_longer() -> None:
    run = Run("1.2.0", _hour(10), STOPPED)
    assert latest_run([STOPPED, THIRD, SECOND], {TOOL: "2"}) == run
    assert not run.was_rolled_back
    assert run.lasted(_hour(99)) == dt.timedelta(hours=20)


def test_a_change_that_was_never_live_has_no_run() -> None:
    assert latest_run([THIRD, SECOND, FIRST], {TOOL: "3"}) is None
    assert latest_run([], {TOOL: "3"}) is None


def test_a_run_that_ends_with_an_earlier_version_was_rolled_back() -> None:
    assert Run("1.2.0", _hour(10), BACK).was_rolled_back


def test_a_commit_of_the_future_makes_no_run_shorter_than_nothing() -> None:
    assert Run("1.2.0", _hour(10)).lasted(_hour(0)) == dt.timedelta()


@given(
    st.lists(st.tuples(st.integers(1, 5), st.sampled_from("12"), st.integers(0, 3)), max_size=6),
    st.integers(0, 12),
    st.integers(0, 30),
)
def test_a_change_may_go_on_where_it_was_live_for_every_one_of_the_hours(
    states: list[tuple[int, str, int]], hours: int, now: int
) -> None:
    """Count what was live hour by hour, and compare that with the rule."""
    history, hour = [], 0
    for length, tool, minor in states:
        history.append(_state(hour, f"1.{minor}.0", tool))
        hour += length
    now += hour
    change = {TOOL: "2"}
    soak = Soak(change, {}, latest_run(reversed(history), change))
    reason = chain_reason(soak, "staging", hours, _hour(now))
    assert (reason is None) == _may_go_on(history, hours, now)


def _may_go_on(history: list[LiveState], hours: int, now: int) -> bool:
    live = {
        number: next((s for s in reversed(history) if s.since <= _hour(number)), None)
        for number in range(now)
    }
    if not any(state.parts[TOOL] == "2" for state in history):
        return False
    *_, last = [index for index, state in enumerate(history) if state.parts[TOOL] == "2"]
    after = history[last + 1] if last + 1 < len(history) else None
    if after is not None and str(after.version) < str(history[last].version):
        return False
    ran, end = 0, now if after is None else int((after.since - BEGIN).total_seconds() // 3600)
    for number in range(end - 1, -1, -1):
        state = live[number]
        if state is None or state.parts[TOOL] != "2":
            break
        ran += 1
    return ran >= hours
