"""The page as one file of HTML that loads nothing."""

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from gpuplane.fleet_report import html_format
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
    platforms = [example(name) for name in ("inference", "mixed", "onprem", "training")]
    return fleet_page(fleet_of(platforms, ROOT / "dist", newest_commit_day(ROOT)), UNPLANNED)


@pytest.fixture(scope="module")
def text(examples: ReportPage) -> str:
    return html_format.page_html(examples)


def test_every_id_is_there_once_and_every_link_leads_to_one(text: str) -> None:
    page = Page(text)
    ids = page.values("id")
    assert len(ids) == len(set(ids)) > 30
    links = {link for link in page.values("href") if not link.startswith("https://")}
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
    hostile = replace(first, finding=HOSTILE, summary=HOSTILE, notes=(HOSTILE,))
    row = replace(page.teams[0], team=HOSTILE, sentence=HOSTILE)
    text = html_format.page_html(replace(page, sections=(hostile, *others), teams=(row,)))
    escaped = "&#34;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"
    assert text.count(escaped) == text.count("{{ 7 * 7 }}") == 9
    assert [tag for tag, _ in Page(text).elements].count("script") == 1


def test_headings_are_in_order_and_every_column_and_row_of_a_table_has_one(text: str) -> None:
    page = Page(text)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    scopes = [attrs.get("scope") for tag, attrs in page.elements if tag == "th"]
    assert set(scopes) == {"col", "row"}


def test_pools_of_clusters_that_do_not_change_are_folded_where_there_are_many(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    many = replace(page, pools=page.pools * 9)
    for each, opened in ((page, 1), (many, 0)):
        details = [
            attrs
            for tag, attrs in Page(html_format.page_html(each)).elements
            if tag == "details" and attrs.get("class") == "cap"
        ]
        assert sum("open" in attrs for attrs in details) == opened
