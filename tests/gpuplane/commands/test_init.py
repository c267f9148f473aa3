from pathlib import Path

from gpuplane.new_repository.repository import next_steps
from gpuplane.new_repository.source import wheel_name
from tests.gpuplane.conftest import Run

COMMIT = "git+https://git.example.com/gpuplane.git@v0.1.0#0123456789abcdef0123456789abcdef01234567"


def _written(directory: Path) -> list[str]:
    return sorted(
        file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file()
    )


def test_the_written_files_are_listed_and_what_is_left_to_do(run: Run, tmp_path: Path) -> None:
    directory = tmp_path / "platform"
    result = run("init", directory, "--provider", "onprem", "--from", COMMIT)
    assert (result.exit_code, result.stdout.splitlines()) == (0, _written(directory))
    steps = enumerate(next_steps(directory), start=1)
    assert result.stderr.splitlines() == ["next:", *(f"{n}. {step}" for n, step in steps)]


def test_without_a_source_it_takes_that_of_the_gpuplane_that_runs(run: Run, tmp_path: Path) -> None:
    result = run("init", tmp_path)
    assert (result.exit_code, f"vendor/{wheel_name()}" in result.stdout.splitlines()) == (0, True)


def test_a_source_without_a_digest_is_wrong_input(run: Run, tmp_path: Path) -> None:
    wheel = f"https://example.com/{wheel_name()}"
    said = f"{wheel}: does not end with the digest; allowed: #sha256= and 64 digits\n"
    assert run.refused("init", tmp_path / "platform", "--from", wheel) == said
    assert not (tmp_path / "platform").exists()


def test_a_folder_with_files_is_wrong_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    assert run.refused("init", tmp_path, "--from", COMMIT) == (
        f"{tmp_path}: holds notes.txt; "
        "allowed: a new folder, or one that is empty apart from .git\n"
    )
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_cannot_be_written_is_a_fault_of_the_machine(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    directory = tmp_path / "file" / "platform"
    said = f"{directory}: cannot be written: Not a directory; nothing was written\n"
    assert run.refused("init", directory, "--from", COMMIT, code=3) == said
