from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.evidence.evidence import Gap, Proof
from tests.e2e.evidence.pages import EVIDENCE


def test_a_cell_of_the_page_stays_one(tmp_path: Path) -> None:
    words = "`a <b> | c`\n<d>"
    proof = Proof("claims/test_nodes.py", "test_words", "It says so.", words)
    gap = Gap("claims/test_x.py", "test_x", "a|b")
    page = replace(EVIDENCE, file=tmp_path / "evidence.md")
    page.write([proof], [gap])
    assert r"| It says so. | `a <b> \| c` &lt;d> |" in page.file.read_text()
    assert r"| a\|b |" in page.file.read_text()


def test_a_file_of_no_case_is_named(tmp_path: Path) -> None:
    page = replace(EVIDENCE, file=tmp_path / "evidence.md")
    with pytest.raises(ValueError, match=r"^new/test_x\.py shows something, but is in none of: "):
        page.write([Proof("new/test_x.py", "test_x", "So.", "so")], [])
