from pathlib import Path

import pytest

from gpuplane.versions.tree import read_tree
from gpus.provider import Provider
from tests.example_repository import write_example_repository
from tests.gpuplane.conftest import Run
from tests.gpuplane.versions.conftest import run_git
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with `example` and, released and no longer live, `old`."""
    write_example_repository(tmp_path, Provider.ONPREM)
    write_version(tmp_path / "dist", "old/1.0.0", namespace=NAMESPACE)
    (tmp_path / "clusters" / "old.yaml").write_text("live: none\n", encoding="utf-8")
    run_git(tmp_path, "init", "--initial-branch", "main")
    run_git(tmp_path, "add", "--all")
    run_git(tmp_path, "commit", "--message", "State")
    write_version(tmp_path / "dist", "old/1.1.0-rc.1", namespace=NAMESPACE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SHOWN = (
    "- clusters/old.yaml, also on the main branch\n"
    "- dist/old: files: 4\n"
    "    1.0.0: 1 object, also on the main branch\n"
    "    1.1.0-rc.1: 1 object, only here\n"
)
REMOVED = "old: removed; commit clusters/ and dist/ together\n"


def test_what_goes_is_shown_and_goes_where_it_is_confirmed(run: Run) -> None:
    assert run.printed("remove", "old", "--yes") == f"{SHOWN}{REMOVED}"
    assert not Path("clusters/old.yaml").exists()
    assert not Path("dist/old").exists()


def test_a_file_that_git_does_not_have_as_it_is_is_only_here(run: Run) -> None:
    Path("clusters/old.yaml").write_text("live: none # changed\n", encoding="utf-8")
    result = run("remove", "old")
    assert result.stdout == SHOWN.replace("also on the main branch", "only here", 1)


def test_without_a_terminal_nothing_goes_that_is_not_confirmed(run: Run, repository: Path) -> None:
    before = read_tree(repository)
    message = "old: nothing is removed; to remove it, add --yes\n"
    assert run.ended("remove", "old") == (2, SHOWN, message)
    assert read_tree(repository) == before


@pytest.mark.parametrize(("answer", "code", "end"), [("y", 0, REMOVED), ("n", 1, ""), ("", 1, "")])
def test_a_terminal_is_asked(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, end: str
) -> None:
    before = read_tree(repository)
    monkeypatch.setattr("gpuplane.commands.arguments._is_terminal", lambda: True)
    result = run("remove", "old", answers=f"{answer}\n")
    # The runner prints the answer, as a terminal does.
    assert (result.exit_code, result.stdout) == (code, f"{SHOWN} {answer}\n{end}")
    assert result.stderr.startswith("Remove old? [y/N]:")
    assert (read_tree(repository) == before) == (code == 1)


def test_what_is_live_is_wrong_input(run: Run, repository: Path) -> None:
    application = repository / "dist" / "old" / "live-application.yaml"
    application.write_text("path: dist/old/1.0.0/argocd\n", encoding="utf-8")
    run_git(repository, "add", "--all")
    run_git(repository, "commit", "--message", "State")
    before = read_tree(repository)
    assert run.refused("remove", "old", "--yes").startswith(
        "old: 1.0.0 is live (main), so nothing is removed. First:\n"
    )
    assert read_tree(repository) == before
