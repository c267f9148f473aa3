"""The rules are written in what mypyc compiles: `make test-compiled` takes minutes to find out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

POLICIES = Path(__file__).parents[2] / "policies"
_STARRED = re.compile(r"\bin [(\[{]\*")


def _comparisons(text: str) -> Iterator[ast.Compare]:
    """Yield those with starred elements beside `in`, which end mypyc with an internal error."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            for side in node.comparators:
                if any(isinstance(each, ast.Starred) for each in getattr(side, "elts", ())):
                    yield node


def test_nothing_is_looked_for_in_a_display_with_stars() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in POLICIES.rglob("*.py")}
    found = [
        f"{file.relative_to(POLICIES)}:{node.lineno}"
        for file, text in texts.items()
        if _STARRED.search(text)
        for node in _comparisons(text)
    ]
    assert found == []
