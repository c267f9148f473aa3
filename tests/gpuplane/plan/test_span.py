"""Figures of which only the bounds are known."""

import pytest
from hypothesis import given, strategies as st

from gpuplane.plan.span import NOTHING, Span, duration, exactly

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
