"""Bars that are drawn where Vega-Lite is there; a table beside them says the same."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

_VERSION = "6.4"
"""Version of Vega-Lite, one of those that vl-convert brings."""
_CONFIG = "bar_chart.json"
"""How all charts look. vl-convert brings their font; the page shows its own font, whose letters are
about as wide."""
COLOURS = ("#4269d0", "#d48a00", "#e0484a", "#3a9c94", "#3ca951", "#c25a9c", "#8a5ccf", "#9c6b4e")
"""One for each series, again from the start after the last; the page's style has them for dark
screens, too. The first 8 of https://observablehq.com/@d3/color-schemes (Observable10), darkened to
a contrast of 3 with white."""
REST = "#8a929c"
"""What is left over."""


class BarLayout(StrEnum):
    """How the values of one bar stand together."""

    SHARES = "shares"
    """Bars stand one behind the other, as parts of their sum."""
    BESIDE = "beside"
    """Each value has a bar of its own."""


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
    """Series in the order of their colours; the last is grey where `rest` is set."""
    bars: tuple[Bar, ...]
    rest: bool = False
    """Whether the last series is what is left over."""


def draw(chart: BarChart) -> str | None:
    """Return a chart as an `<svg>` element; None where vl-convert-python is not installed."""
    try:
        import vl_convert  # noqa: PLC0415 # optional
    except ModuleNotFoundError:
        return None
    svg: str = vl_convert.vegalite_to_svg(json.dumps(specification(chart)), vl_version=_VERSION)
    return svg


def specification(chart: BarChart) -> dict[str, Any]:
    """Return the chart as Vega-Lite writes it (https://vega.github.io/vega-lite/docs/spec.html)."""
    return {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{_VERSION}.json",
        "width": 620,
        "height": {"step": 22 if chart.layout is BarLayout.SHARES else 14},
        "background": None,
        "config": json.loads((files(__package__) / _CONFIG).read_text(encoding="utf-8")),
        "data": {
            "values": [
                {**asdict(bar), "order": chart.series.index(bar.series)} for bar in chart.bars
            ]
        },
        "mark": {"type": "bar", "height": {"band": 0.8}, "aria": False},
        "encoding": {
            "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
            "color": _colour(chart),
            **_placement(chart),
        },
    }


def _colour(chart: BarChart) -> dict[str, Any]:
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(chart.series))]
    if chart.rest:
        colours[-1] = REST
    scale = {"domain": list(chart.series), "range": colours}
    return {"field": "series", "type": "nominal", "scale": scale}


def _placement(chart: BarChart) -> dict[str, Any]:
    length: dict[str, Any] = {"field": "value", "type": "quantitative", "title": chart.axis}
    if chart.layout is BarLayout.SHARES:
        x = {**length, "stack": "normalize", "axis": {"format": "%", "tickCount": 5}}
        return {"x": x, "order": {"field": "order", "type": "quantitative"}}
    x = {**length, "stack": None, "axis": {"format": "~s", "tickCount": 6}}
    return {"x": x, "yOffset": {"field": "series", "type": "nominal", "sort": list(chart.series)}}
