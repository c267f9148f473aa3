"""The folders of this repository that the tests read."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
E2E = REPOSITORY / "tests" / "e2e"
CLUSTERS = REPOSITORY / "clusters"
DIST = REPOSITORY / "dist"
DOCS = REPOSITORY / "docs"
EXAMPLES = REPOSITORY / "examples"
SAMPLES = REPOSITORY / "tests" / "charts_py" / "samples"
"""Cluster files of one feature each."""
