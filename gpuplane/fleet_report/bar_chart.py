"""Bars that are drawn where Vega-Lite is there; a table beside them says the same."""

from dataclasses import dataclass
from enum import StrEnum


class BarLayout(StrEnum):
    """How the values of one bar stand together."""

    SHARES = "shares"
    """One behind the other, as parts of their sum."""
    BESIDE = "beside"
    """Each a bar of its own."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One value."""

    name: str
    series: str
    value: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """A chart of bars."""

    name: str
    """Its anchor."""
    title: str
    description: str
    """What it shows, for those who do not see it."""
    axis: str
    """What its values are."""
    layout: BarLayout
    series: tuple[str, ...]
    """In the order of their colours; the last is grey where `rest` is set."""
    bars: tuple[Bar, ...]
    rest: bool = False
    """Whether the last series is what is left over."""
