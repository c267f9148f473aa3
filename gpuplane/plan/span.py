"""A figure between known bounds, and how people read it."""

from collections.abc import Callable
from dataclasses import dataclass

MINUTES_PER_HOUR = 60
_MANY_MINUTES = 120


@dataclass(frozen=True, slots=True)
class Span:
    """A figure between two bounds."""

    low: float
    high: float | None
    """None where nothing bounds it."""

    def __add__(self, other: "Span") -> "Span":
        return Span(self.low + other.low, _both(self.high, other.high, lambda a, b: a + b))

    def __mul__(self, other: "Span") -> "Span":
        return Span(self.low * other.low, _both(self.high, other.high, lambda a, b: a * b))

    def beside(self, other: "Span") -> "Span":
        return Span(max(self.low, other.low), _both(self.high, other.high, max))

    def words(self, unit: str = "") -> str:
        """Write the span for people: `8`, `0 to 25 nodes`, `at least 1 node`, of `nodes`."""
        if self.high is None:
            if not self.low:
                return f"any number of {unit}" if unit else "unbounded"
            return f"at least {_counted(self.low, unit)}"
        low, high = _number(self.low), _counted(self.high, unit)
        return high if low == _number(self.high) else f"{low} to {high}"


NOTHING = Span(0, 0)


def exactly(figure: float) -> Span:
    return Span(figure, figure)


def duration(minutes: Span) -> str:
    """Write a time for people: `5 minutes to 17 hours`, `at least 10 minutes`."""
    if minutes.high is None:
        if not minutes.low:
            return "an unbounded time"
        return f"at least {_time(minutes.low)}"
    low, high = _time(minutes.low), _time(minutes.high)
    if low == high:
        return low
    # A unit that both have is written once.
    (first, unit), (_, other) = low.split(), high.split()
    is_same = unit.removesuffix("s") == other.removesuffix("s")
    return f"{first} to {high}" if is_same or not minutes.low else f"{low} to {high}"


def _time(minutes: float) -> str:
    if minutes < _MANY_MINUTES:
        return _counted(minutes, "minutes")
    return _counted(minutes / MINUTES_PER_HOUR, "hours")


def _both(
    one: float | None, other: float | None, join: Callable[[float, float], float]
) -> float | None:
    return None if one is None or other is None else join(one, other)


def _counted(figure: float, unit: str) -> str:
    """Return a number and its unit, which is stated as a plural; one without a unit alone."""
    number = _number(figure)
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}".rstrip()


def _number(figure: float) -> str:
    return f"{figure:,.1f}".removesuffix(".0")
