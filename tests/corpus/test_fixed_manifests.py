"""Manifests as people publish them, below the folders that GPUPLANE_CORPUS names, once fixed."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

import pytest

from benchmarks.corpus import CLUSTERS, VARIABLE, corpus_folders
from charts_py.cluster_file.fault import FieldPath
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.edits.yaml_entry import YamlEntry, entries_on
from gpuplane.lint.finding import LintFinding
from gpuplane.lint.fixes import FixedFile, fixed_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import lint_sources
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import RuleSelection
from policies.document import unescaped
from policies.operation import Operation

TERMS = LintTerms(dt.date(2026, 1, 1))
CASES = [
    pytest.param((("training",), "research-training"), id="one cluster"),
    pytest.param(((), None), id="all clusters"),
]
MEANT = (
    "would fix it differently",
    "unfilled-placeholder",
    "the object keeps the error ",
    "its size follows from the memory limit, which is missing",
)
"""Why a fix is rightly not written."""


@pytest.fixture(scope="module", params=CASES)
def terms(request: pytest.FixtureRequest) -> tuple[tuple[str, ...], LintTerms]:
    names, namespace = request.param
    return names, replace(TERMS, namespace=namespace)


@pytest.fixture(scope="module")
def files(terms: tuple[tuple[str, ...], LintTerms]) -> tuple[FixedFile, ...]:
    if not corpus_folders():
        pytest.skip(f"{VARIABLE} does not name a folder of manifests")
    names, of = terms
    sources = lint_sources(map(str, corpus_folders()), bytes)
    return fixed_files(sources, loaded_clusters(CLUSTERS, names), of, RuleSelection())


def test_fixing_again_changes_nothing(
    files: tuple[FixedFile, ...], terms: tuple[tuple[str, ...], LintTerms]
) -> None:
    names, of = terms
    after = [replace(each.source, content=each.after) for each in files if each.is_changed]
    assert after
    again = fixed_files(after, loaded_clusters(CLUSTERS, names), of, RuleSelection())
    assert [each.source.shown_as for each in again if each.is_changed or each.fixed] == []


def test_every_fix_that_clusters_agree_on_is_written(files: tuple[FixedFile, ...]) -> None:
    other = [
        str(one)
        for each in files
        for one in each.unfixed
        if not any(why in one.why for why in MEANT)
    ]
    assert other == []


def test_only_lines_change_that_a_fix_names(files: tuple[FixedFile, ...]) -> None:
    strange = [(each.source.shown_as, line) for each in files for line in _strange_lines(each)]
    assert strange == []


def _strange_lines(file: FixedFile) -> Iterator[int]:
    """Yield the lines, from 1, that go or have new ones above them without a finding's naming it.

    A file that ends without a newline gets one.
    """
    before, after = (text.decode().splitlines() for text in (file.source.content, file.after))
    places = [place for one in file.fixed for place in _places(file, one)]
    for tag, start, end, *_ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        lines = range(start, end) if tag in ("replace", "delete") else ()
        yield from (line + 1 for line in lines if not any(line in one.named for one in places))
        if tag == "insert" and not any(start in one.adjoining for one in places):
            yield start + 1


class _Place:
    """Where an operation changes something; lines count from 0."""

    def __init__(self, entry: YamlEntry, path: FieldPath) -> None:
        text, (start, end) = entry.text, entry.lines
        first, last = text.count("\n", 0, start), text.count("\n", 0, end)
        is_new_in_block = entry.is_block and len(path) > 0
        self.named = range(0) if is_new_in_block else range(first, max(last, first + 1))
        self.adjoining = range(first, last + 2)


def _places(file: FixedFile, finding: LintFinding) -> Iterator[_Place]:
    text = file.source.content.decode()
    objects = read_manifests(file.source.content, "").objects
    root = next(one.root for one in objects if one.index == finding.document)
    for operation in finding.fix:
        path = _path(operation)
        found = entries_on(text, root, path)
        yield _Place(found[-1], path[len(found) :])


def _path(operation: Operation) -> FieldPath:
    steps = map(unescaped, operation.path.split("/")[1:])
    return tuple(int(step) if step.isdecimal() else step for step in steps)
