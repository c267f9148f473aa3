"""The evidence page lists all tests that exist, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.evidence.page import GAPS, cell
from tests.e2e.evidence.sources import TestSource, read_tests

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "evidence.md"
LINK = r"\[`(\w+)`\]\(\.\./tests/e2e/([\w/]+\.py)\)"

TESTS = {(test.file, test.name): test for test in read_tests(ROOT / "tests" / "e2e")}


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


def _parts() -> tuple[set[tuple[str, str, str]], set[tuple[str, str]]]:
    proven, _, failing = PAGE.read_text(encoding="utf-8").partition(f"## {GAPS}\n")
    return _shown(proven), _gaps(failing)


def test_every_claim_of_the_page_is_one_of_its_test() -> None:
    unfounded = [
        row
        for row in _parts()[0]
        for test in [TESTS.get((row[0], row[1]))]
        if test is None or not any(_says(claim, row[2]) for claim in test.claims)
    ]
    assert unfounded == []


@pytest.mark.parametrize(
    "test",
    [test for test in TESTS.values() if test.shows],
    ids=lambda test: f"{test.file}::{test.name}",
)
def test_what_a_test_shows_stands_on_the_page(test: TestSource) -> None:
    rows, gaps = _parts()
    claims = [claim for file, name, claim in rows if (file, name) == (test.file, test.name)]
    missing = [each for each in test.claims if not any(_says(each, claim) for claim in claims)]
    assert not missing or (test.file, test.name) in gaps
    assert test.claims


def test_the_page_tells_what_does_not_hold() -> None:
    assert _parts()[1] == {name for name, test in TESTS.items() if test.marked_to_fail}


def test_the_start_page_leads_to_the_evidence() -> None:
    assert "(docs/evidence.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
