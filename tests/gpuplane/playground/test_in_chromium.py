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
from gpuplane.playground.local_server import LocalServer
from gpuplane.playground.page import page_data
from gpuplane.playground.static_page import static_page
from tests.gpuplane.playground.chromium import Tab, tab
from tests.gpuplane.playground.conftest import serving
from tests.gpuplane.playground.test_playground_answer import JOB

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
AXE = os.environ.get("GPUPLANE_AXE")
PYODIDE = os.environ.get("GPUPLANE_PYODIDE")
EXAMPLES = Path(__file__).parents[3] / "examples"
FIXED = "Admitted, after 1 fix."
VERDICT = "document.getElementById('verdict')?.textContent ?? ''"
HOSTILE_NAME = "<img src=x onerror=document.title='run'>"
HOSTILE = JOB.replace("name: train,", f'name: "{HOSTILE_NAME}",')

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is on the PATH")


@pytest.fixture(scope="module")
def url(training_facts: PlaygroundFacts) -> Iterator[str]:
    with serving(training_facts) as server:
        yield server.url


@pytest.fixture(scope="module")
def examples(training_facts: PlaygroundFacts) -> Iterator[str]:
    """Return the address of a page with the examples of this repository."""
    with serving(training_facts, EXAMPLES) as server:
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
    said = ""
    while not said or said.startswith("Waiting"):
        browser.value("new Promise(done => setTimeout(done, 20))")
        said = browser.value(VERDICT)
    return str(said)


def test_a_shared_manifest_is_answered(url: str, browser: Tab) -> None:
    assert _verdict(browser, url + _fragment(JOB)) == FIXED
    added = browser.value("[...document.querySelectorAll('ins')].map(one => one.textContent)")
    assert added[:2] == ["    metadata:team-labels", "      labels:"]


def test_a_verdict_names_the_rules_that_are_not_judged_here(
    training_facts: PlaygroundFacts, browser: Tab
) -> None:
    with serving(replace(training_facts, unjudged=("ours",))) as server:
        assert _verdict(browser, server.url + _fragment(JOB)) == (
            "Admitted, after 1 fix, but 1 rule of the platform team's own is not judged here "
            "(ours): ask gpuplane admit."
        )


def test_a_verdict_says_where_no_pool_has_a_node(url: str, browser: Tab) -> None:
    lost = JOB.replace("gpuplane.io/pool: h100}", "gpuplane.io/pool: h100, accelerator: h100}")
    assert _verdict(browser, url + _fragment(lost)) == (
        "Admitted, after 1 fix, but 1 pod template fits no node of any pool and waits for ever."
    )


def test_a_verdict_says_where_the_quota_allows_fewer_gpus(url: str, browser: Tab) -> None:
    assert _verdict(
        browser, url + _fragment(JOB.replace("parallelism: 3", "parallelism: 100"))
    ) == (
        "Admitted, after 1 fix, but not all of it starts: it asks for 200 GPUs, and the quota of "
        "research-training allows 160."
    )


def test_a_verdict_says_that_no_gpu_is_asked_for(url: str, browser: Tab) -> None:
    placed = (
        "      nodeSelector: {gpuplane.io/pool: h100}\n",
        "      tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n",
    )
    without = JOB.replace("resources:", "resource:").replace("".join(placed), "")
    assert _verdict(browser, url + _fragment(without)) == (
        "Admitted, as it is. It asks for no GPU."
    )


def test_what_a_shared_manifest_holds_is_text(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(HOSTILE))
    about = "document.getElementById('about').textContent"
    assert browser.value(about) == f"Job {HOSTILE_NAME} in research-training on training"
    title = "Admitted, after 1 fix: gpuplane playground"
    assert browser.value("[document.images.length, document.title]") == [0, title]


def test_a_fault_is_told_at_its_line(url: str, browser: Tab) -> None:
    assert _verdict(browser, url + _fragment("kind: Pod\nspec: a: b\n")) == (
        "Cannot be read: 1 fault."
    )
    marked = "[...document.querySelectorAll('.editor .bad')].map(one => one.textContent)"
    assert browser.value(marked) == ["spec: a: b"]


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


def test_the_page_of_a_rule_opens_and_closing_it_leads_back(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(JOB))
    why = "document.querySelector('[aria-label=\"why team-labels\"]')"
    browser.value(f"{why}.focus(), {why}.click()")
    assert browser.value("document.querySelector('dialog[open] h2').textContent") == "team-labels"
    browser.value("document.querySelector('dialog button').click()")
    assert browser.value(f"document.activeElement === {why}") is True


def test_the_page_opens_with_the_example_that_most_fixes_admit(examples: str, browser: Tab) -> None:
    assert _verdict(browser, examples) == "Admitted, after 7 fixes."
    facts = "[...document.querySelectorAll('dd')].map(one => one.firstChild.textContent)"
    assert browser.value(facts) == ["h100", "55.04 USD", "8 of 96 GPUs"]
    notes = "[...document.querySelectorAll('[data-note]')].map(one => one.dataset.note)"
    assert browser.value(notes) == ["team-labels", "5 fixes", "visible-devices"]


def test_a_link_leads_to_each_example(examples: str, browser: Tab) -> None:
    assert _verdict(browser, f"{examples}#try.pytorchjob") == "Refused, for 1 reason."
    assert browser.value("document.querySelector('[aria-current]').textContent") == "pytorchjob"
    assert browser.value("document.getElementById('copy').hidden") is True


def test_a_fix_that_has_the_focus_or_is_chosen_lights_its_lines(
    examples: str, browser: Tab
) -> None:
    _verdict(browser, examples)
    fix = "[...document.querySelectorAll('.fixed [aria-pressed]')]"
    lit = "[...document.querySelectorAll('ins.on')].map(one => one.firstChild.textContent.trim())"
    browser.value(f"{fix}[3].focus()")
    assert browser.value(lit) == ["priorityClassName: training"]
    browser.value(f"{fix}[6].click(), document.activeElement.blur()")
    assert browser.value(lit) == ["env:", "- name: NVIDIA_VISIBLE_DEVICES", "value: void"]
    assert browser.value(f"{fix}.map(one => one.ariaPressed)") == [*["false"] * 6, "true"]


def test_what_is_typed_is_coloured_at_once_and_checked_soon(url: str, browser: Tab) -> None:
    _verdict(browser, url + _fragment(JOB))
    browser.value("field.focus(), field.setSelectionRange(0, field.value.length)")
    browser.order("Input.insertText", text="# none\nkind: Pod\ntext: |\n  a: 1\nb: true")
    spans = "[...copy.querySelectorAll('span[class]')].map(one => [one.className, one.textContent])"
    assert browser.value(spans) == [
        ["comment", "# none"],
        ["key", "kind"],
        ["key", "text"],
        ["text", "  a: 1"],
        ["key", "b"],
        ["value", "true"],
    ]
    while (said := browser.value(VERDICT)) == FIXED:
        pass
    assert said == "Cannot be read: 1 fault."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation(examples: str, browser: Tab, width: int, scheme: str) -> None:
    if AXE is None:
        pytest.skip("GPUPLANE_AXE names no axe.min.js")
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.order("Emulation.setDeviceMetricsOverride", **size)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.order("Emulation.setEmulatedMedia", features=media)
    for name in ("multi-gpu-job", "pytorchjob"):
        _verdict(browser, f"{examples}#try.{name}")
        browser.value("document.querySelector('.fixed [aria-pressed]').click()")
        browser.value(Path(AXE).read_text("utf-8") + "; undefined")
        found = browser.value(
            "axe.run().then(one => one.violations.map(({id, nodes}) => "
            "[id, nodes.map(each => each.html.slice(0, 200))]))"
        )
        assert found == []
    width_of_all = browser.value("document.documentElement.scrollWidth")
    assert width_of_all <= width


@pytest.mark.skipif(PYODIDE is None, reason="GPUPLANE_PYODIDE names no folder with Pyodide")
def test_a_page_without_a_server_answers_as_the_server_does(
    training_facts: PlaygroundFacts, browser: Tab, tmp_path: Path
) -> None:
    file = tmp_path / "index.html"
    file.write_bytes(static_page((training_facts,), EXAMPLES, Path(str(PYODIDE))).html)
    assert _verdict(browser, f"file://{file}{_fragment(JOB)}") == FIXED
    with LocalServer((training_facts,), EXAMPLES, port=0) as server:
        answered = server.answer
    for example in page_data((training_facts,), EXAMPLES).examples:
        question = json.dumps({"cluster": "training", "manifest": example.text})
        answer = msgspec.convert(browser.value(f"ask({question})"), Answer)
        assert answer == answered(question.encode()), example.name
