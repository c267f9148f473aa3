"""The folders of this repository that the tests read."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CLUSTERS = REPOSITORY / "clusters"
DIST = REPOSITORY / "dist"
DOCS = REPOSITORY / "docs"
EXAMPLES = REPOSITORY / "examples"

_MORE = "more"


def is_more(file: str) -> bool:
    """Tell whether a file, below `tests/e2e/`, is of those that only `make e2e-more` runs."""
    return file.startswith(f"{_MORE}/")
