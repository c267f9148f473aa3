"""The page in a real browser."""

import json
import os
import shutil
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gpuplane.playground.answer import Answer
from gpuplane.playground.cluster_facts import PlaygroundFacts
from gpuplane.playground.local_server import local_site
from gpuplane.playground.page import page_data
from gpuplane.playground.static_page import static_page
from tests.gpuplane.playground.chromium import Tab, tab
from tests.gpuplane.playground.conftest import serving
from tests.gpuplane.playground.test_playground_answer import JOB

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PYODIDE = os.environ.get("GPUPLANE_PYODIDE")
EXAMPLES = Path(__file__).parents[3] / "examples"
FIXED = "Admitted. Admission fixes 1 thing."
HOSTILE_NAME = "<img src=x onerror=document.title='run'>"
HOSTILE = JOB.replace("name: train,", f'name: "{HOSTILE_NAME}",')

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is on the PATH")


@pytest.fixture(scope="module")
def url(training_facts: PlaygroundFacts) -> Iterator[str]:
    with serving(training_facts) as server:
        yield server.url


def _fragment(manifest: str) -> str:
    shared = {"cluster": "training", "namespace": "", "manifest": manifest}
    packed = zlib.compress(json.dumps(shared).encode(), wbits=-15)
    return f"#v1.{urlsafe_b64encode(packed).decode().rstrip('=')}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with tab(str(CHROMIUM), tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def _verdict(browser: Tab, url: str) -> str:
    """Open a page, and return its verdict once there is one."""
    browser.open("about:blank")
    browser.open(url)
    while not (said := browser.value("document.getElementById('verdict')?.textContent ?? ''")):
        pass
    while said.startswith(("Paste", "Waiting")):
        browser.value("new Promise(done => setTimeout(done, 20))")
        said = browser.value("document.getElementById('verdict').textContent")
    return str(said)


def test_a_shared_manifest_is_answered(url: str, browser: Tab) -> None:
    assert _verdict(browser, url + _fragment(JOB)) == FIXED
    added = browser.value("[...document.querySelectorAll('ins')].map(one => one.textContent)")
    assert added[:2] == ["+     metadata:", "+       labels:"]


def test_a_verdict_names_the_rules_that_are_not_judged_here(
    training_facts: PlaygroundFacts, browser: Tab
) -> None:
    with serving(replace(training_facts, unjudged=("ours",))) as server:
        assert _verdict(browser, server.url + _fragment(JOB)) == (
            "Admitted, but 1 rule of the platform team's own is not judged here (ours): "
            "ask gpuplane admit. Admission fixes 1 thing."
        )


def test_what_a_shared_manifest_holds_is_text(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(HOSTILE))
    heading = "document.querySelector('#results h2').textContent"
    assert browser.value(heading) == f"Job {HOSTILE_NAME}: admitted line 2"
    assert browser.value("[document.images.length, document.title]") == [0, "gpuplane playground"]


def test_a_fault_is_told_at_its_line(url: str, browser: Tab) -> None:
    assert _verdict(browser, url + _fragment("kind: Pod\nspec: a: b\n")) == (
        "Cannot be read: 1 fault."
    )
    assert browser.value("document.querySelector('#gutter .bad').textContent") == "2"


@pytest.mark.parametrize("fragment", ["#v1.", "#v1.!", "#v1.AAAA"])
def test_a_broken_link_is_told(url: str, browser: Tab, fragment: str) -> None:
    assert _verdict(browser, url + fragment).startswith("The link is broken: ")


def test_a_link_that_unpacks_to_too_much_is_refused(url: str, browser: Tab) -> None:
    assert _verdict(browser, url + _fragment("#" * 3 * 1024**2)) == (
        "The link is broken: it unpacks to more than 2097152 bytes"
    )


def test_a_link_that_is_copied_opens_what_was_there(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(JOB))
    browser.value("share()")
    assert str(browser.value("location.href")).startswith(f"{url}#v1.")
    shared = {"cluster": "training", "namespace": "", "manifest": JOB}
    assert browser.value("sharedIn(location.hash)") == shared


def test_the_page_of_a_rule_opens_beside_its_finding(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(JOB))
    browser.value("document.querySelector('.findings li button').click()")
    panel = "document.getElementById('rule')"
    assert browser.value(f"{panel}.querySelector('h2').textContent") == "team-labels"
    assert browser.value(f"document.activeElement === {panel}") is True


@pytest.mark.skipif(PYODIDE is None, reason="GPUPLANE_PYODIDE names no folder with Pyodide")
def test_a_page_without_a_server_answers_as_the_server_does(
    training_facts: PlaygroundFacts, browser: Tab, tmp_path: Path
) -> None:
    file = tmp_path / "index.html"
    file.write_bytes(static_page((training_facts,), EXAMPLES, Path(str(PYODIDE))).html)
    site = local_site((training_facts,), EXAMPLES)
    assert _verdict(browser, f"file://{file}{_fragment(JOB)}") == FIXED
    for example in page_data((training_facts,), EXAMPLES).examples:
        question = json.dumps({"cluster": "training", "manifest": example.text})
        answer = msgspec.convert(browser.value(f"ask({question})"), Answer)
        assert answer == site.answer(question.encode()), example.name
