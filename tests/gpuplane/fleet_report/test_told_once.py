"""Clusters of the page that are alike."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.html_format import page_html
from gpuplane.fleet_report.markdown_format import page_markdown
from gpuplane.fleet_report.report_page import ReportPage
from gpuplane.fleet_report.told_once import told_once
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.fleet_report.conftest import AS_OF, UNPLANNED

NAMES = tuple(f"c{number:02}" for number in range(40))


@pytest.fixture
def forty(tmp_path: Path, platform_after: PlatformWith) -> Fleet:
    platform = platform_after("queues")
    return fleet_of([replace(platform, name=name) for name in NAMES], tmp_path / "dist", AS_OF)


@pytest.fixture
def page(forty: Fleet) -> ReportPage:
    return fleet_page(forty, UNPLANNED)


def test_forty_clusters_that_are_alike_are_one_row(page: ReportPage) -> None:
    once, others = told_once(page)
    assert others == {"c00": NAMES[1:]}
    assert [row.cluster for row in once.clusters] == ["c00"]
    assert {pool.cluster for pool in once.pools} == {"c00"}
    assert [(each.title, each.text) for each in once.decisions if each.kind == "not rendered"] == [
        (
            "c00: 1.0.0 is not rendered",
            (
                "What it changes is not known, or not all of it. "
                "The same holds for 39 more clusters: c01, c02 and 37 more."
            ),
        )
    ]


def test_one_that_differs_has_a_row_of_its_own(forty: Fleet) -> None:
    page = fleet_page(forty, UNPLANNED)
    rows = tuple(replace(row, objects=row.cluster == "c07") for row in page.clusters)
    once, others = told_once(replace(page, clusters=rows))
    assert [row.cluster for row in once.clusters] == ["c00", "c07"]
    assert others["c07"] == ()


def test_pages_name_few_of_many_clusters(page: ReportPage) -> None:
    assert "| c00, c01 and 38 more (" in page_markdown(page)
    html = page_html(page)
    assert "<small>The same holds for 39 more clusters: c01, c02 and 37 more.</small>" in html
    # All names stand once, in a list that readers open.
    assert html.count(">c33<") == 0
    assert html.count(", c33,") == html.count(", ".join(NAMES[1:])) == 1
    assert "<span>40 clusters</span>" in html
