"""Resolving merges in which both sides cut a version."""

import shutil
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from gpuplane.release.conflict import add_to_merge, resolve
from gpuplane.release.release import ReleaseRequest, plan_release, release
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.gpuplane.release.conftest import NOW
from tests.gpuplane.versions.conftest import Repository, new_repository, run_git


def _request(repository: Repository) -> ReleaseRequest:
    changelogs = repository.directory / "changelogs"
    return ReleaseRequest(repository.clusters, repository.dist, changelogs, (), NOW)


def _cut(repository: Repository, old: str, new: str) -> None:
    file = repository.clusters / "lab.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    release(plan_release(_request(repository)))
    repository.commit()


@pytest.fixture(scope="module")
def diverged_once(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Both `main` and `change` have cut 1.0.1 of 1.0.0, of a quota and of a cost center."""
    repository = new_repository(tmp_path_factory.mktemp("diverged"))
    for key, value in (("user.name", "Jo Doe"), ("user.email", "jo@example.com")):
        repository.git("config", key, value)
    repository.write()
    text = (repository.clusters / "lab.yaml").read_text("utf-8")
    (repository.clusters / "lab.yaml").write_text(text.replace("live: 1.0.0\n", ""))
    repository.synth()
    repository.commit()
    repository.git("checkout", "-b", "change")
    _cut(repository, "cpu: 100,", "cpu: 120,")
    repository.git("checkout", "main")
    _cut(repository, 'costCenter: "1"', 'costCenter: "2"')
    repository.git("checkout", "change")
    return repository


@pytest.fixture
def diverged(
    diverged_once: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Repository:
    """A copy of it, by its relative path."""
    shutil.copytree(diverged_once.directory, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Repository(Path())


def _merge(repository: Repository) -> None:
    with pytest.raises(CalledProcessError):
        repository.git("merge", "main")


def test_the_version_of_the_main_branch_stays_and_ours_becomes_the_next(
    diverged: Repository,
) -> None:
    _merge(diverged)
    request = _request(diverged)
    done = resolve(request)
    for folder in ("clusters", "dist/lab", "changelogs"):
        (diverged.directory / folder / "notes.md").write_text("of nobody else", encoding="utf-8")
    add_to_merge(diverged.dist, done, diverged.synth())
    unrelated = ["changelogs/notes.md", "clusters/notes.md", "dist/lab/notes.md"]
    listing = ("ls-files", "--others", "--exclude-standard")
    assert run_git(diverged.directory, *listing).split() == unrelated
    assert done.taken == ("dist/lab/1.0.1", "changelogs/lab.md")
    (cut,) = done.releases
    assert (cut.version, cut.previous and cut.previous.version) == ("1.0.2", "1.0.1")
    text = (diverged.clusters / "lab.yaml").read_text("utf-8")
    assert all(each in text for each in ("version: 1.0.2", "cpu: 120,", 'costCenter: "2"'))
    changelog = (diverged.directory / "changelogs" / "lab.md").read_text("utf-8")
    assert [line for line in changelog.splitlines() if line.startswith("## [")] == [
        "## [Unreleased]",
        "## [1.0.2] - 2026-07-10",
        "## [1.0.1] - 2026-07-10",
    ]
    assert run_git(diverged.directory, "ls-files", "--unmerged") == ""
    assert run_git(diverged.directory, "diff", "--name-only") == ""
    for each in unrelated:
        (diverged.directory / each).unlink()
    diverged.commit()
    assert diverged.synth(check=True).is_current
    assert run_git(diverged.directory, "diff", "--stat", "main", "--", "dist/lab/1.0.1") == ""


def test_a_cluster_file_that_conflicts_is_for_a_person(diverged: Repository) -> None:
    diverged.git("checkout", "main")
    _cut(diverged, "cpu: 100,", "cpu: 140,")
    diverged.git("checkout", "change")
    _merge(diverged)
    file = diverged.clusters / "lab.yaml"
    line = file.read_text("utf-8").splitlines().index("<<<<<<< HEAD") + 1
    assert message_of(DistError, resolve, _request(diverged)) == (
        f"{file}:{line}:1: invalid YAML: a merge conflict that is not resolved; allowed: one of "
        "the two sides; then run gpuplane synth --resolve again"
    )


def test_without_a_conflict_nothing_is_taken(diverged: Repository) -> None:
    before = run_git(diverged.directory, "status", "--porcelain")
    done = resolve(_request(diverged))
    assert (done.taken, done.releases) == ((), ())
    assert run_git(diverged.directory, "status", "--porcelain") == before
