"""The page as one file of HTML that loads nothing."""

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gpuplane.fleet_report import bar_chart, html_format
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of, newest_commit_day
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.report_page import ReportPage
from tests.charts_py.fixture_types import Load
from tests.gpuplane.fleet_report.conftest import UNPLANNED

ROOT = Path(__file__).parents[3]
HOSTILE = """"><script>alert('&')</script><a href='x'>{{ 7 * 7 }}"""
VOID = {"meta", "input", "path", "rect", "line"}
LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href"}


class Page(HTMLParser):
    """What is in a page; an element that is not closed in turn fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.elements if attribute in attrs]


@pytest.fixture(scope="module")
def examples(example: Load) -> ReportPage:
    """Return the page of the example clusters."""
    platforms = [example(name) for name in ("inference", "mixed", "onprem", "training")]
    return fleet_page(fleet_of(platforms, ROOT / "dist", newest_commit_day(ROOT)), UNPLANNED)


@pytest.fixture(scope="module")
def text(examples: ReportPage) -> str:
    return html_format.page_html(examples)


def test_every_id_is_there_once_and_every_link_leads_to_one(text: str) -> None:
    page = Page(text)
    ids = page.values("id")
    assert len(ids) == len(set(ids)) > 300
    links = page.values("href")
    assert {link[:1] for link in links} == {"#"}
    assert {link[1:] for link in links} - set(ids) == set()
    referred = {name for names in page.values("aria-labelledby") for name in names.split()}
    assert referred - set(ids) == set()


def test_nothing_is_loaded(text: str) -> None:
    page = Page(text)
    assert {tag for tag, _ in page.elements} & {"link", "img", "iframe", "object", "embed"} == set()
    assert {name for _, attrs in page.elements for name in attrs} & LOADING == set()
    assert {name for _, attrs in page.elements for name in attrs if name.startswith("on")} == set()
    assert "url(" not in text
    assert "@import" not in text


def test_the_policy_of_the_page_names_the_one_style_and_the_one_script(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    hashes = []
    for tag in ("style", "script"):
        (body,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = b64encode(hashlib.sha256(body.encode()).digest()).decode()
        hashes.append(f"{tag}-src &#39;sha256-{digest}&#39;; ")
    none = "&#39;none&#39;"
    ends = f"base-uri {none}; form-action {none}"
    assert policy == f"default-src {none}; {''.join(hashes)}{ends}"


def test_the_same_content_is_the_same_bytes(examples: ReportPage, text: str) -> None:
    assert html_format.page_html(examples) == text


def test_what_is_in_the_files_stays_a_text(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    first, *others = page.sections
    hostile = replace(first, title=HOSTILE, summary=HOSTILE, notes=(HOSTILE,), first=(HOSTILE,))
    text = html_format.page_html(replace(page, sections=(hostile, *others)))
    assert text.count("&#34;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;") == 5
    assert text.count("{{ 7 * 7 }}") == 5
    assert [tag for tag, _ in Page(text).elements].count("script") == 1


def test_without_vega_lite_a_sentence_stands_in_place_of_each_chart(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_format, "draw", lambda _: None)
    text = html_format.page_html(fleet_page(fleet, UNPLANNED))
    assert text.count("not drawn, as vl-convert-python is not installed") == 2
    assert "<figure" not in text


def test_every_colour_of_a_chart_has_one_for_dark_screens() -> None:
    style = (Path(html_format.__file__).parent / "templates" / "page.css").read_text("utf-8")
    for colour in (*bar_chart.COLOURS, bar_chart.REST):
        assert f'.chart [fill="{colour}"]' in style
