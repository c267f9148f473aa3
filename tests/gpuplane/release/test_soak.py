"""Whether a cluster has run a change for long enough."""

import datetime as dt

from hypothesis import given, strategies as st

from gpuplane.release.chain import Soak, chain_reason
from gpuplane.release.live_history import LiveState
from gpuplane.release.part import Part, PartKind
from gpuplane.release.soak import Run, latest_run

TOOL = Part(PartKind.TOOL)
BEGIN = dt.datetime(2026, 7, 1, tzinfo=dt.UTC)


def _hour(number: int) -> dt.datetime:
    return BEGIN + dt.timedelta(hours=number)


def _state(hour: int, version: str | None, tool: str = "") -> LiveState:
    return LiveState(_hour(hour), version, {TOOL: tool} if version else {})


FIRST, SECOND, THIRD = _state(0, "1.0.0", "1"), _state(10, "1.1.0", "2"), _state(20, "1.2.0", "2")
STOPPED, BACK = _state(30, None), _state(30, "1.0.0", "1")


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
