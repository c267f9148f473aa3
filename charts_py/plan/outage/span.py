"""A figure of which only the bounds are known."""

from collections.abc import Callable
from dataclasses import dataclass

MINUTES_PER_HOUR = 60
_MANY_MINUTES = 120


@dataclass(frozen=True, slots=True)
class Span:
    """From the least to the most that a figure can be."""

    low: float
    high: float | None
    """None where nothing bounds it."""

    def __add__(self, other: "Span") -> "Span":
        return Span(self.low + other.low, _both(self.high, other.high, lambda a, b: a + b))

    def __mul__(self, other: "Span") -> "Span":
        return Span(self.low * other.low, _both(self.high, other.high, lambda a, b: a * b))

    def beside(self, other: "Span") -> "Span":
        """Return the span of what takes the longer of two that go on at the same time."""
        return Span(max(self.low, other.low), _both(self.high, other.high, max))

    def words(self, unit: str = "") -> str:
        """Return it as people read it: `8`, `0 to 25 minutes`, `at least 5 minutes`."""
        suffix = f" {unit}" if unit else ""
        if self.high is None:
            if not self.low:
                return f"any number of {unit}" if unit else "unbounded"
            return f"at least {_number(self.low)}{suffix}"
        low, high = _number(self.low), _number(self.high)
        return f"{low}{suffix}" if low == high else f"{low} to {high}{suffix}"


NOTHING = Span(0, 0)


def exactly(figure: float) -> Span:
    """Return the span of what is known."""
    return Span(figure, figure)


def duration(minutes: Span) -> str:
    """Return how long something takes: `5 minutes to 17 hours`, `at least 10 minutes`."""
    if minutes.high is None:
        if not minutes.low:
            return "an unbounded time"
        return f"at least {_time(minutes.low)}"
    low, high = _time(minutes.low), _time(minutes.high)
    if low == high:
        return low
    # A unit that both have is written once.
    (first, unit), (_, other) = low.split(), high.split()
    return f"{first} to {high}" if unit == other or not minutes.low else f"{low} to {high}"


def _time(minutes: float) -> str:
    if minutes < _MANY_MINUTES:
        return f"{_number(minutes)} minutes"
    return f"{_number(minutes / MINUTES_PER_HOUR)} hours"


def _both(
    one: float | None, other: float | None, join: Callable[[float, float], float]
) -> float | None:
    return None if one is None or other is None else join(one, other)


def _number(figure: float) -> str:
    return f"{figure:,.1f}".removesuffix(".0")
