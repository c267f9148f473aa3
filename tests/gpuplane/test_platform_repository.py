"""The folders that a command works on."""

import re
from pathlib import Path

import pytest

from gpuplane.platform_repository import find_repository


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A platform repository in a checkout, which is the working directory."""
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    made = tmp_path / "checkout" / "platform"
    for name in ("clusters/manifests", "dist/training"):
        (made / name).mkdir(parents=True)
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize(
    ("stands_in", "named", "found"),
    [
        (".", ".", "clusters"),
        ("clusters/manifests", ".", "../../clusters"),
        ("dist/training", ".", "../../clusters"),
        ("..", "platform", "platform/clusters"),
        ("..", "platform/dist/training", "platform/clusters"),
    ],
)
def test_a_repository_is_found_upwards_and_shown_from_where_the_user_stands(
    directory: Path, monkeypatch: pytest.MonkeyPatch, stands_in: str, named: str, found: str
) -> None:
    monkeypatch.chdir(directory / stands_in)
    repository = find_repository(Path(named))
    assert str(repository.clusters) == found
    assert str(repository.dist) == found.replace("clusters", "dist")


def test_a_repository_is_absolute_where_it_is_named_so(directory: Path) -> None:
    assert find_repository(directory / "dist" / "training").directory == directory


def test_a_folder_that_holds_only_what_is_rendered_is_one(directory: Path) -> None:
    (directory / "rendered" / "dist").mkdir(parents=True)
    assert find_repository(Path("rendered")).directory == Path("rendered")


def test_a_link_of_that_name_that_leads_nowhere_is_not_passed_over(directory: Path) -> None:
    (directory / "inner").mkdir()
    (directory / "inner" / "clusters").symlink_to("nowhere")
    assert find_repository(Path("inner")).directory == Path("inner")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("notes.txt", "notes.txt: is a file; allowed: a platform repository, or in one"),
        ("missing", "missing: no such folder; allowed: a platform repository, or in one"),
        (
            "../elsewhere",
            (
                "{}/elsewhere: no clusters/ here or above, so this is not a platform repository; "
                "name one with -C, or make one: gpuplane init"
            ),
        ),
    ],
)
def test_what_is_no_repository_is_an_error(directory: Path, named: str, message: str) -> None:
    (directory / "notes.txt").touch()
    (directory.parent / "elsewhere").mkdir()
    (directory.parent.parent / "clusters").mkdir()
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(message.format(directory.parent))}$"):
        find_repository(Path(named))
