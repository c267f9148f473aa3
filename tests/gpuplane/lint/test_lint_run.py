"""What is kept of a run, and what is found again."""

import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplane.lint.cache import folder_digest, installation_digest
from gpuplane.lint.finding import FileFindings, ObjectCounts
from gpuplane.lint.lint_run import ClusterFacts, Keep, LintRun, LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.siblings import ToldIndex
from gpuplane.lint.told import Told
from tests.gpuplane.lint.sample_report import ERROR, FILE, NOTE

FACTS = ClusterFacts("training", "1.36", "{}", {}, [], [], {}, {}, [], [], [])
TERMS = LintTerms(dt.date(2026, 11, 26))
SOURCE = LintSource(FILE, b"kind: Pod")
INTERRUPTED = b"kind: Interrupted"
FOUND = FileFindings((NOTE, ERROR), ObjectCounts(1, {"Pod": 1}))


class _Counted:
    """Counts what has to be done again."""

    def __init__(self) -> None:
        self.loaded = 0
        self.judged: list[str] = []

    def load(self, _folder: Path, _names: Sequence[str]) -> tuple[ClusterFacts, ...]:
        self.loaded += 1
        return (FACTS,)

    def judge(
        self, sources: Sequence[LintSource], _clusters: object, _terms: object, keep: Keep
    ) -> Sequence[FileFindings]:
        for each in sources:
            if each.content == INTERRUPTED:
                raise KeyboardInterrupt
            self.judged.append(each.shown_as)
            keep(each, FOUND)
        return [FOUND for _ in sources]

    def run(self, cache: Path | None) -> LintRun:
        return LintRun(cache, self.load, self.judge)

    def found(self, cache: Path, *sources: LintSource) -> list[FileFindings]:
        return self.run(cache).findings(sources or (SOURCE,), [FACTS], TERMS)


def _leave(cache: Path, text: str) -> None:
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_text(text, encoding="utf-8")


@pytest.fixture
def counted() -> _Counted:
    return _Counted()


@pytest.fixture
def clusters(tmp_path: Path) -> Path:
    folder = tmp_path / "clusters"
    folder.mkdir()
    (folder / "training.yaml").write_text("a: 1\n", encoding="utf-8")
    return folder


def test_what_was_judged_is_not_judged_again(tmp_path: Path, counted: _Counted) -> None:
    found = [counted.found(tmp_path) for _ in range(2)]
    assert found == [[FOUND], [FOUND]]
    assert counted.judged == [FILE]


def test_another_version_of_gpuplane_judges_again(
    tmp_path: Path, clusters: Path, counted: _Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("one", "two", "two"):
        monkeypatch.setattr("gpuplane.lint.lint_run.installation_digest", lambda: version)  # noqa: B023 # called at once
        counted.found(tmp_path / "cache")
        counted.run(tmp_path / "cache").clusters(clusters, [])
    assert (counted.judged, counted.loaded) == ([FILE, FILE], 2)


def test_findings_are_told_of_the_file_that_is_read_now(tmp_path: Path, counted: _Counted) -> None:
    counted.found(tmp_path)
    (found,) = counted.found(tmp_path, replace(SOURCE, shown_as="moved.yaml"))
    assert [str(each.start) for each in found.findings] == ["moved.yaml:2:3", "moved.yaml:3:3"]
    assert counted.judged == [FILE]


def test_what_was_judged_before_an_interruption_is_kept(tmp_path: Path, counted: _Counted) -> None:
    with pytest.raises(KeyboardInterrupt):
        counted.found(tmp_path, SOURCE, replace(SOURCE, content=INTERRUPTED))
    assert counted.found(tmp_path) == [FOUND]
    assert counted.judged == [FILE]


@pytest.mark.parametrize(
    ("source", "facts", "terms"),
    [
        (replace(SOURCE, content=b"kind: Job"), FACTS, TERMS),
        (replace(SOURCE, is_named=False), FACTS, TERMS),
        (replace(SOURCE, unread="The file cannot be read."), FACTS, TERMS),
        (SOURCE, replace(FACTS, name="other"), TERMS),
        (SOURCE, replace(FACTS, settings="{ }"), TERMS),
        (SOURCE, replace(FACTS, kubernetes="1.37"), TERMS),
        (SOURCE, replace(FACTS, workers={"a": "{}"}), TERMS),
        (SOURCE, replace(FACTS, taken=["a"]), TERMS),
        (SOURCE, FACTS, replace(TERMS, today=dt.date(2026, 11, 27))),
        (SOURCE, FACTS, replace(TERMS, namespace="research")),
    ],
)
def test_whatever_an_answer_follows_from_makes_another_one(
    tmp_path: Path, counted: _Counted, source: LintSource, facts: ClusterFacts, terms: LintTerms
) -> None:
    counted.found(tmp_path)
    counted.run(tmp_path).findings([source], [facts], terms)
    assert counted.judged == [FILE, FILE]


@pytest.mark.parametrize(
    "left", ["", "[", "[1]", "{}", '[[["a"]], 0, {}]', "[[], 0]", "null", '[[], "1", [], 5]']
)
def test_what_somebody_else_has_left_is_judged_again(
    tmp_path: Path, counted: _Counted, left: str
) -> None:
    counted.found(tmp_path)
    _leave(tmp_path, left)
    assert counted.found(tmp_path) == [FOUND]
    assert counted.judged == [FILE, FILE]


def test_only_files_that_a_changed_autoscaler_concerns_are_judged_again(
    tmp_path: Path, counted: _Counted
) -> None:
    serve, other = (LintSource(f"{name}.yaml", f"name: {name}".encode()) for name in ("a", "b"))
    for most in (4, 8):
        scaler = Told("up.yaml", "", "HorizontalPodAutoscaler", "up", {}, ("Deployment", "a"), most)
        terms = replace(TERMS, told=ToldIndex([scaler]))
        counted.run(tmp_path).findings([serve, other], [FACTS], terms)
    assert counted.judged == ["a.yaml", "b.yaml", "a.yaml"]


def test_without_a_cache_everything_is_done_again(clusters: Path, counted: _Counted) -> None:
    for _ in range(2):
        run = counted.run(None)
        run.findings([SOURCE], run.clusters(clusters, ()), TERMS)
    assert (counted.loaded, counted.judged) == (2, [FILE, FILE])


def test_clusters_are_read_once(tmp_path: Path, clusters: Path, counted: _Counted) -> None:
    read = [counted.run(tmp_path / "cache").clusters(clusters, ()) for _ in range(2)]
    assert read == [(FACTS,), (FACTS,)]
    assert counted.loaded == 1


@pytest.mark.parametrize("left", ["", "[]", "[{}]", '[{"name": 5}]', "null"])
def test_what_somebody_else_has_left_is_read_again(
    tmp_path: Path, clusters: Path, counted: _Counted, left: str
) -> None:
    for _ in range(2):
        assert counted.run(tmp_path / "cache").clusters(clusters, ()) == (FACTS,)
        _leave(tmp_path / "cache", left)
    assert counted.loaded == 2


def test_another_cluster_is_another_question(
    tmp_path: Path, clusters: Path, counted: _Counted
) -> None:
    for names in ((), ("training",), ("training", "other")):
        counted.run(tmp_path / "cache").clusters(clusters, names)
    assert counted.loaded == 3


@pytest.mark.parametrize("name", ["training.yaml", "other.yaml", "folder/manifest.yaml"])
def test_a_file_that_changes_beside_the_clusters_has_them_read_again(
    tmp_path: Path, clusters: Path, counted: _Counted, name: str
) -> None:
    counted.run(tmp_path / "cache").clusters(clusters, ())
    (clusters / name).parent.mkdir(exist_ok=True)
    (clusters / name).write_text("a: 2\n", encoding="utf-8")
    counted.run(tmp_path / "cache").clusters(clusters, ())
    assert counted.loaded == 2


def test_a_file_that_is_renamed_makes_another_folder(clusters: Path) -> None:
    before = folder_digest(clusters)
    (clusters / "training.yaml").rename(clusters / "inference.yaml")
    assert folder_digest(clusters) != before


@pytest.mark.parametrize("folder", ["policies/rules", "gpuplane/lint/rules", "gpuplane/admission"])
def test_another_version_of_gpuplane_has_another_digest(tmp_path: Path, folder: str) -> None:
    file = tmp_path / folder / "a.py"
    file.parent.mkdir(parents=True)
    file.write_text("a = 1\n", encoding="utf-8")
    before = installation_digest(tmp_path)
    state = file.stat()
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    touched = installation_digest(tmp_path)
    (tmp_path / "gpus").mkdir()
    (tmp_path / "gpus" / "table.yaml").write_text("", encoding="utf-8")
    assert len({before, touched, installation_digest(tmp_path)}) == 3
