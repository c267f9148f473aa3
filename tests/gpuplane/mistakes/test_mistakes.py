"""Mistakes that people make: each is told in whole, and nothing is changed, to the byte."""

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import Result

from tests.gpuplane.conftest import Run
from tests.gpuplane.mistakes import repositories
from tests.gpuplane.mistakes.mistake import Mistake, topic_of
from tests.told_lists import with_lists

UNREADABLE = "unreadable"
"""What the rows of this topic make, nobody but root may read."""
TOPICS = sorted({file.stem for file in Path(__file__).parent.glob("*.yaml")} - {UNREADABLE})


def _rows(*names: str) -> list[object]:
    """Return the rows of topics, each with its repository and named by what is done."""
    return [
        pytest.param(topic.repository, mistake, id=f"{name}: {mistake.done}: {mistake.run[0]}")
        for name in names
        for topic in (topic_of(name),)
        for mistake in (replace(row, run=row.run or topic.run) for row in topic.rows)
    ]


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the function that makes a repository, which is to be copied."""

    @cache
    def made(name: str) -> Path:
        folder = tmp_path_factory.mktemp("original") / "repository"
        getattr(repositories, name)(folder)
        return folder

    return made


@pytest.fixture
def make(
    original: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Return the function that copies a repository, which is then the working directory."""

    def made(name: str) -> None:
        monkeypatch.chdir(shutil.copytree(original(name), tmp_path / "repository"))

    return made


def _told(result: Result) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr, each without its last line end."""
    parent = str(Path.cwd().parent)
    printed, said = (
        text.replace(parent, "PARENT").removesuffix("\n") for text in (result.stdout, result.stderr)
    )
    return int(result.exit_code), printed, said


def _tree(folder: Path) -> dict[str, bytes | str]:
    """Return the content of every file and the target of every link, by path."""
    paths = [Path(place, name) for place, *names in os.walk(folder) for name in chain(*names)]
    return {
        str(path): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in paths
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize(("repository", "mistake"), _rows(*TOPICS))
def test_a_mistake_is_told_and_changes_nothing(
    make: Callable[[str], None], run: Run, repository: str, mistake: Mistake
) -> None:
    make(repository)
    subprocess.run(["sh", "-c", mistake.done], check=True)
    before = _tree(Path())
    for command in mistake.commands:
        assert _told(run(*command)) == (mistake.exit, mistake.prints, with_lists(mistake.says))
    assert _tree(Path()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize(("repository", "mistake"), _rows(UNREADABLE))
def test_what_may_not_be_read_is_told_and_changes_nothing(
    make: Callable[[str], None], run: Run, repository: str, mistake: Mistake
) -> None:
    make(repository)
    before = _tree(Path())
    subprocess.run(["sh", "-c", mistake.done], check=True)
    (command,) = mistake.commands
    result = run(*command)
    subprocess.run(["chmod", "-R", "u+rwX", "."], check=True)
    assert _told(result) == (mistake.exit, mistake.prints, with_lists(mistake.says))
    assert _tree(Path()) == before


def test_what_is_not_for_gpuplane_is_passed_over(make: Callable[[str], None], run: Run) -> None:
    make("two_clusters")
    names = (".west.yaml.swp", ".#west.yaml", "west.yaml~", "#west.yaml#", ".DS_Store", "README.md")
    for name in names:
        Path("clusters", name).touch()
    Path("dist", ".DS_Store").touch()
    assert run("synth", "east").stderr.startswith("clusters/east.yaml:1: ")
