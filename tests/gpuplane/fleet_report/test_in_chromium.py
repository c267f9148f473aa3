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
EVERYBODY = "sample: not rendered yet."
SHOWN = "[...document.querySelectorAll('[data-teams]')].filter(each => !each.hidden).length"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is on the PATH")


def _sentence(browser: Tab, url: str) -> str:
    """Open the page, and return its first sentence once its script has run."""
    browser.open("about:blank")
    browser.open(url)
    while browser.value("document.readyState") != "complete":
        pass
    return str(browser.value("document.querySelector('h1')?.textContent ?? ''"))


def test_an_address_shows_the_view_of_a_team_or_else_of_everybody(
    tmp_path: Path, fleet: Fleet
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page_html(fleet_page(fleet, UNPLANNED)), encoding="utf-8")
    with tab(str(CHROMIUM), tmp_path / "profile") as browser:
        for fragment in ("", "#nowhere", "#%", "#%E4&find=", "#team=nobody", "#prices"):
            assert (fragment, _sentence(browser, file.as_uri() + fragment)) == (fragment, EVERYBODY)
        everything = browser.value(SHOWN)
        said = _sentence(browser, f"{file.as_uri()}#team=research")
        assert said == "research: 0 → 28 GPUs in quotas."
        assert 0 < browser.value(SHOWN) < everything
        browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
        assert browser.value("document.querySelector('h1').textContent") == EVERYBODY
