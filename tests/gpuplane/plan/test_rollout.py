"""How many nodes are worked on at once."""

import pytest
from hypothesis import given, strategies as st

from gpuplane.plan.rollout import NOTHING, Mechanism, Rollout, Span, duration, exactly

LIMITS = st.lists(
    st.integers(0, 50).map(str) | st.integers(0, 100).map(lambda share: f"{share}%"), max_size=3
)


@pytest.mark.parametrize(
    ("limits", "surge", "nodes", "out", "at_once"),
    [
        ((), "0", 6, 6, 6),
        (("10%",), "0", 6, 1, 1),
        (("25%",), "0", 6, 2, 2),
        (("1", "25%"), "0", 6, 1, 1),
        (("0",), "0", 6, 0, 0),
        (("0",), "2", 6, 0, 2),
        (("1",), "1", 6, 1, 2),
        (("3",), "0", 2, 2, 2),
    ],
)
def test_the_least_limit_holds_and_percentages_are_rounded_up(
    limits: tuple[str, ...], surge: str, nodes: int, out: int, at_once: int
) -> None:
    rollout = Rollout(Mechanism.POOL_UPGRADE, "h100", limits=limits, surge=surge)
    assert (rollout.out_at_once(nodes), rollout.at_once(nodes)) == (out, at_once)


@given(LIMITS, st.integers(0, 9).map(str), st.integers(0, 100))
def test_never_more_nodes_are_out_than_are_worked_on_or_there(
    limits: list[str], surge: str, nodes: int
) -> None:
    rollout = Rollout(Mechanism.POOL_UPGRADE, "h100", limits=tuple(limits), surge=surge)
    assert 0 <= rollout.out_at_once(nodes) <= rollout.at_once(nodes) <= nodes


LOWS = st.integers(0, 1000)
SPANS = st.builds(
    lambda low, more: Span(low, None if more is None else low + more),
    LOWS,
    st.none() | st.integers(0, 1000),
)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (exactly(8), "8 GPUs"),
        (Span(0, 25), "0 to 25 GPUs"),
        (Span(0.25, 1234.5), "0.2 to 1,234.5 GPUs"),
        (Span(5, None), "at least 5 GPUs"),
        (Span(0, None), "any number of GPUs"),
        (exactly(1), "1 GPU"),
        (Span(0, 1), "0 to 1 GPU"),
        (Span(1, 4), "1 to 4 GPUs"),
        (Span(1, None), "at least 1 GPU"),
    ],
)
def test_a_span_in_words(span: Span, words: str) -> None:
    assert span.words("GPUs") == words


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (Span(0, 25), "0 to 25 minutes"),
        (Span(20, 1040), "20 minutes to 17.3 hours"),
        (Span(0, 1040), "0 to 17.3 hours"),
        (exactly(5), "5 minutes"),
        (Span(600, None), "at least 10 hours"),
        (exactly(1), "1 minute"),
        (Span(1, 4), "1 to 4 minutes"),
        (Span(1, 600), "1 minute to 10 hours"),
        (Span(0, None), "an unbounded time"),
    ],
)
def test_many_minutes_are_written_as_hours(minutes: Span, words: str) -> None:
    assert duration(minutes) == words


def test_a_span_of_no_unit_is_numbers() -> None:
    spans = exactly(1), Span(1, 4), Span(2, None), Span(0, None)
    assert [each.words() for each in spans] == ["1", "1 to 4", "at least 2", "unbounded"]


@given(SPANS, SPANS)
def test_what_goes_on_beside_takes_no_longer_than_one_after_the_other(one: Span, two: Span) -> None:
    beside, after = one.beside(two), one + two
    assert beside.low <= after.low
    assert (beside.high is None) == (after.high is None)
    assert beside.high is None or after.high is None or beside.high <= after.high


@given(SPANS)
def test_nothing_adds_nothing(span: Span) -> None:
    assert span + NOTHING == span
