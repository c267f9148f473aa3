"""The pages of evidence list all tests that exist, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.evidence.page import GAPS, EvidencePage, cell
from tests.e2e.evidence.pages import EVIDENCE_MORE, PAGES
from tests.e2e.evidence.sources import TestSource, read_tests

ROOT = Path(__file__).parents[1]
LINK = r"\[`(\w+)`\]\(\.\./tests/e2e/([\w/]+\.py)\)"
DATE = r"\d{4}-\d{2}-\d{2}"
VERSION = r"\d+\.\d+\.\d+"

TESTS = {(test.file, test.name): test for test in read_tests(ROOT / "tests" / "e2e")}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file.stem)


def _tests_of(page: EvidencePage) -> list[TestSource]:
    return [test for test in TESTS.values() if page.holds(test)]


def _shown(part: str) -> set[tuple[str, str, str]]:
    """Return file, test and claim of each row."""
    rows = re.findall(rf"^\| (.+?) \| .* \| {LINK} \|$", part, re.MULTILINE)
    return {(file, test, claim) for claim, test, file in rows}


def _gaps(part: str) -> set[tuple[str, str]]:
    return {(file, test) for test, file in re.findall(rf"^\| {LINK} \| ", part, re.MULTILINE)}


def _says(claim: tuple[str, ...], row: str) -> bool:
    """Return whether a row is a claim, whatever was filled in between its strings."""
    source = cell("\0".join(claim))
    return re.fullmatch(re.escape(source).replace("\0", ".+"), row) is not None


def _parts(page: EvidencePage) -> tuple[set[tuple[str, str, str]], set[tuple[str, str]]]:
    text = page.file.read_text(encoding="utf-8")
    proven, _, failing = text.partition(f"## {GAPS}\n")
    return _shown(proven), _gaps(failing)


@each_page
def test_every_claim_of_the_page_is_one_of_its_test(page: EvidencePage) -> None:
    unfounded = [
        row
        for row in _parts(page)[0]
        for test in [TESTS.get((row[0], row[1]))]
        if test is None
        or not page.holds(test)
        or not any(_says(claim, row[2]) for claim in test.claims)
    ]
    assert unfounded == []


@each_page
def test_what_a_test_shows_stands_on_the_page(page: EvidencePage) -> None:
    rows, gaps = _parts(page)
    claims: dict[tuple[str, str], list[str]] = {}
    for file, name, claim in rows:
        claims.setdefault((file, name), []).append(claim)
    shown = {(test.file, test.name): test.claims for test in _tests_of(page) if test.shows}
    assert [place for place, stated in shown.items() if not stated] == []
    missing = [
        (place, each)
        for place, stated in shown.items()
        for each in stated
        if not any(_says(each, claim) for claim in claims.get(place, ()))
    ]
    assert [each for each in missing if each[0] not in gaps] == []


@each_page
def test_the_page_tells_what_does_not_hold(page: EvidencePage) -> None:
    failing = {(test.file, test.name) for test in _tests_of(page) if test.marked_to_fail}
    assert _parts(page)[1] == failing


def test_every_test_has_a_page() -> None:
    assert [t for t in TESTS.values() if not any(page.holds(t) for page in PAGES)] == []


@each_page
def test_every_test_that_shows_something_has_a_table_on_its_page(page: EvidencePage) -> None:
    tables = tuple(f"{case}/" for case in page.cases)
    shown = [test.file for test in _tests_of(page) if test.shows]
    assert [file for file in shown if not file.startswith(tables)] == []


def test_more_evidence_tells_when_and_of_what_its_last_whole_run_was() -> None:
    text = " ".join(EVIDENCE_MORE.file.read_text(encoding="utf-8").split())
    assert re.search(
        rf"on {DATE}, with Karpenter {VERSION}, KWOK {VERSION}, etcd {VERSION}, "
        rf"and the control plane of Kubernetes {VERSION}\. ",
        text,
    )


@each_page
def test_the_contents_lead_to_the_evidence(page: EvidencePage) -> None:
    contents = (ROOT / "docs" / "contents.md").read_text(encoding="utf-8")
    assert f"({page.file.name})" in contents
