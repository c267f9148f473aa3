"""Writing a new folder: all of it or nothing."""

import re
from pathlib import Path

import pytest

from gpuplane.new_repository.repository import write_new_folder
from gpuplane.versions.tree import read_tree
from tests.gpuplane.messages import message_of

CONTENTS = {"README.md": b"read", "clusters/example.yaml": b"{}"}
ALLOWED = "allowed: a new folder, or one that is empty apart from .git"


@pytest.mark.parametrize("folder", ["new", "deep/new", "."])
def test_a_folder_that_is_not_there_or_empty_is_written(folder: str, tmp_path: Path) -> None:
    write_new_folder(tmp_path / folder, CONTENTS)
    assert read_tree(tmp_path / folder) == CONTENTS


def test_a_git_checkout_without_files_is_taken(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write_new_folder(tmp_path, CONTENTS)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "README.md", "clusters"]


IN_THE_WAY = {
    "file": (["folder"], f"is not a folder; {ALLOWED}"),
    "one file": (["folder/a"], f"holds a; {ALLOWED}"),
    "many files": ([f"folder/{name}" for name in "abcd"], f"holds a, b, c, ...; {ALLOWED}"),
    "platform repository": (
        ["folder/clusters/a"],
        f"is a platform repository already, since it has clusters/; {ALLOWED}",
    ),
}


@pytest.mark.parametrize(("files", "says"), IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_what_is_there_is_not_written_over(files: list[str], says: str, tmp_path: Path) -> None:
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("mine", encoding="utf-8")
    message = message_of(FileExistsError, write_new_folder, tmp_path / "folder", CONTENTS)
    assert message == f"{tmp_path / 'folder'}: {says}"
    assert read_tree(tmp_path) == dict.fromkeys(files, b"mine")


def test_a_link_that_leads_nowhere_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(FileExistsError, match="is not a folder"):
        write_new_folder(tmp_path / "link", CONTENTS)


def test_a_folder_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    folder = tmp_path / "file" / "folder"
    message = f"{folder}: cannot be written: Not a directory; nothing was written"
    with pytest.raises(OSError, match=f"^{re.escape(message)}$"):
        write_new_folder(folder, CONTENTS)
    assert read_tree(tmp_path) == {"file": b"mine"}


def _refuse_second_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    rename, renamed = Path.rename, []

    def refusing(path: Path, target: Path) -> Path:
        renamed.append(path)
        if len(renamed) > 1:
            raise PermissionError(13, "Permission denied")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refusing)


@pytest.mark.parametrize("made", [[], ["folder"], ["folder/.git"]])
def test_nothing_stays_of_what_could_not_be_finished(
    made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in made:
        (tmp_path / folder).mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    _refuse_second_rename(monkeypatch)
    with pytest.raises(OSError, match="Permission denied; nothing was written"):
        write_new_folder(tmp_path / "folder", CONTENTS)
    assert sorted(tmp_path.rglob("*")) == before
