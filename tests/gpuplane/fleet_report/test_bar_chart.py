"""Bar charts as SVG."""

import sys
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from gpuplane.fleet_report.bar_chart import (
    COLOURS,
    REST,
    Bar,
    BarChart,
    BarLayout,
    draw,
    specification,
)

CHART = BarChart(
    name="quotas",
    title="Quotas",
    description="By team.",
    axis="Part",
    layout=BarLayout.SHARES,
    series=("research", "nobody"),
    bars=(Bar("lab/<h100> & co", "research", 24), Bar("lab/<h100> & co", "nobody", 8)),
    rest=True,
)


def test_what_is_left_over_is_grey_and_behind_all_others() -> None:
    stated = specification(CHART)
    scale = {"domain": ["research", "nobody"], "range": [COLOURS[0], REST]}
    assert stated["encoding"]["color"]["scale"] == scale
    assert stated["encoding"]["x"]["stack"] == "normalize"
    assert [value["order"] for value in stated["data"]["values"]] == [0, 1]


def test_bars_stand_beside_each_other_in_the_order_of_their_series() -> None:
    stated = specification(replace(CHART, layout=BarLayout.BESIDE, rest=False))
    assert stated["encoding"]["x"]["stack"] is None
    assert stated["encoding"]["yOffset"]["sort"] == ["research", "nobody"]


def test_colours_start_again_after_the_last() -> None:
    many = replace(CHART, series=tuple(map(str, range(10))), bars=(), rest=False)
    colours = specification(many)["encoding"]["color"]["scale"]["range"]
    assert colours == [*COLOURS, *COLOURS[:2]]


def test_a_drawing_is_the_same_each_time_and_its_texts_stay_texts() -> None:
    pytest.importorskip("vl_convert")
    svg = draw(CHART)
    assert svg is not None
    assert svg == draw(CHART)
    root = ET.fromstring(svg)  # noqa: S314 # our own
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "lab/<h100> & co" in texts
    assert " id=" not in svg
    assert " style=" not in svg


def test_nothing_is_drawn_where_vl_convert_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert draw(CHART) is None
