"""The page in a browser: what its address shows, and what axe-core finds.

Needs Chromium on the PATH, and the second test `axe.min.js` of the npm package axe-core, which
GPUPLANE_AXE names.
"""

import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_page import report_of

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[3]
CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def text() -> str:
    """Return the page of the example clusters; skip the test where nothing can show it."""
    if CHROMIUM is None:
        pytest.skip("chromium is not on the PATH")
    from gpuplane.fleet_report.html_format import page_html

    return page_html(report_of(ROOT / "clusters", ROOT / "dist"))


def _shown(page: Path, *options: str, fragment: str = "") -> str:
    """Return the page as it is after its script has run."""
    headless = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000")
    command = (str(CHROMIUM), *headless, *options, "--dump-dom", f"{page.as_uri()}{fragment}")
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def test_an_address_shows_the_pools_of_a_team_that_are_searched_for(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    shown = _shown(tmp_path / "page.html", fragment="#team=research&find=spot")
    rows = re.findall(r'<tr id="pool=([^"]*)"[^>]*?( hidden="")?>', shown)
    assert [name for name, hidden in rows if not hidden] == ["training/h100-spot"]
    assert re.search('<h1 id="sentence">research: ', shown)


@pytest.mark.parametrize(
    "options",
    [
        ("--window-size=1440,1000",),
        ("--window-size=1440,1000", "--blink-settings=preferredColorScheme=0"),
        ("--window-size=500,900",),
        ("--window-size=500,900", "--blink-settings=preferredColorScheme=0"),
    ],
    ids=["light", "dark", "narrow", "narrow-dark"],
)
def test_axe_finds_no_violation(tmp_path: Path, text: str, options: tuple[str, ...]) -> None:
    stated = os.environ.get("GPUPLANE_AXE")
    if stated is None:
        pytest.skip("GPUPLANE_AXE names no axe.min.js")
    run = (
        "document.querySelectorAll('details').forEach((each) => { each.open = true; });"
        "axe.run(document).then((found) => { document.body.dataset.found ="
        " JSON.stringify([found.violations.map((each) => each.id), found.passes.length]); });"
    )
    # The policy of the page refuses any other script.
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    script = f"<script>{Path(stated).read_text('utf-8')}</script><script>{run}</script></body>"
    (tmp_path / "page.html").write_text(page.replace("</body>", script), encoding="utf-8")
    shown = _shown(tmp_path / "page.html", *options)
    (found,) = re.findall(r'data-found="([^"]*)"', shown)
    violations, passed = json.loads(unescape(found))
    assert violations == []
    assert passed > 40
