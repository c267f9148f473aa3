"""`gpuplane init`."""

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result


def test_the_written_files_are_listed(run: Callable[..., Result], tmp_path: Path) -> None:
    directory = tmp_path / "platform"
    result = run("init", directory, "--provider", "onprem")
    written = sorted(
        file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file()
    )
    assert (result.exit_code, result.stdout.splitlines()) == (0, written)


def test_a_folder_with_files_is_wrong_input(run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    result = run("init", tmp_path)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"{tmp_path}: is not empty; allowed: a new folder, or one that is empty apart from .git\n",
    )
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_an_unknown_provider_is_wrong_input(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run("init", tmp_path / "platform", "--provider", "aws")
    assert (result.exit_code, result.stderr) == (
        2,
        'unknown provider "aws"; allowed: eks, gke, aks, onprem; nearest: aks\n',
    )
    assert not (tmp_path / "platform").exists()
