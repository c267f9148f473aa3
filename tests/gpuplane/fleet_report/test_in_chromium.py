"""The page in a real browser."""

import shutil
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.html_format import page_html
from tests.gpuplane.fleet_report.conftest import UNPLANNED
from tests.gpuplane.playground.chromium import Tab, tab

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is on the PATH")


def _rows(browser: Tab, url: str) -> str:
    """Open the page, and return what it says of its rows once its script has run."""
    browser.open("about:blank")
    browser.open(url)
    while browser.value("document.readyState") != "complete":
        pass
    return str(browser.value("document.querySelector('.filters')?.elements.count.value ?? ''"))


def test_a_fragment_that_names_nothing_shows_all_rows(tmp_path: Path, fleet: Fleet) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_html(fleet_page(fleet, UNPLANNED)), encoding="utf-8")
    with tab(str(CHROMIUM), tmp_path / "profile") as browser:
        url = page.as_uri()
        all_rows = _rows(browser, url)
        assert all_rows.endswith(" rows")
        for fragment in ("#nowhere", "#%", "#%E4&find=", "#%&cluster=%"):
            assert (fragment, _rows(browser, url + fragment)) == (fragment, all_rows)
