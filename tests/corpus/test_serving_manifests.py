"""The manifests of servers on the page, as their projects publish them."""

import re
from pathlib import Path

import pytest

from benchmarks.corpus import CLUSTERS, VARIABLE, corpus_folders
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.judged_file import judged_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import lint_sources
from gpuplane.lint.loaded_clusters import loaded_clusters
from policies.admission import today

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
ROW = re.compile(
    r"^\| \[[^]]+\]\(https://github\.com/([^/]+)/([^/]+)/blob/[^/]+/([^)]+)\)"
    r" \| ([\w-]+)/([\w-]+) \| ([a-z, -]+) \|",
    re.MULTILINE,
)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


def _file(owner: str, repository: str, path: str) -> Path:
    places = [folder / f"{owner}+{repository}" / path for folder in corpus_folders()]
    found = next(filter(Path.is_file, places), None)
    if found is None:
        pytest.skip(f"{VARIABLE} does not name a folder that has {owner}/{repository}/{path}")
    return found


@pytest.mark.parametrize(("owner", "repository", "path", "cluster", "namespace", "rules"), ROWS)
def test_the_page_says_what_is_found(
    owner: str, repository: str, path: str, cluster: str, namespace: str, rules: str
) -> None:
    sources = lint_sources([str(_file(owner, repository, path))], bytes)
    terms = LintTerms(today(), namespace=namespace)
    found = judged_files(sources, loaded_clusters(CLUSTERS, (cluster,)), terms)
    grave = {
        each.rule for file in found for each in file.findings if each.severity != LintSeverity.NOTE
    }
    assert sorted(grave) == rules.split(", ")
