from pathlib import Path

import pytest

from gpuplane.written_files import check_in_repository, write_files, written
from tests.gpuplane.messages import message_of


def test_files_keep_their_mode_and_links_stay(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    target, link = tmp_path / "shared" / "a.yaml", tmp_path / "a.yaml"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_files(tmp_path, {link: b"new"})
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", 0o640)
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "shared"]


def test_files_of_the_same_name_in_several_folders_are_written(tmp_path: Path) -> None:
    files = [tmp_path / "a.yaml", tmp_path / "below" / "a.yaml"]
    files[1].parent.mkdir()
    for file in files:
        file.write_bytes(b"old")
    write_files(tmp_path, {file: str(file).encode() for file in files})
    assert [file.read_bytes() for file in files] == [str(file).encode() for file in files]


@pytest.mark.parametrize("stops", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_every_file_as_it_was(
    stops: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_bytes(b"old a")
    second.write_bytes(b"old b")
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == "b.yaml":
            raise stops
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(type(stops)) as caught:
        write_files(tmp_path, {first: b"new a", second: b"new b"})
    if isinstance(stops, OSError):
        said = f"{tmp_path}: cannot be written: No space left on device; nothing is changed"
        assert str(caught.value) == said
    assert (first.read_bytes(), second.read_bytes()) == (b"old a", b"old b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_where_what_follows_fails_files_are_as_they_were_and_new_ones_are_gone(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "a.yaml", tmp_path / "below" / "b.yaml"
    old.write_bytes(b"old")
    with written({old: b"a", new: b"b"}):
        assert (old.read_bytes(), new.read_bytes()) == (b"a", b"b")
    with pytest.raises(KeyboardInterrupt), written({old: b"c", new.with_name("c.yaml"): b"c"}):
        raise KeyboardInterrupt
    assert old.read_bytes() == b"a"
    assert [path.name for path in new.parent.iterdir()] == ["b.yaml"]


@pytest.mark.parametrize(
    ("link", "target", "file", "where"),
    [
        ("changelogs/lab.md", "../../mine", "changelogs/lab.md", "outside of the repository"),
        ("changelogs", "../mine", "changelogs/lab.md", "outside of the repository"),
        ("report.html", ".git/config", "report.html", "git's own"),
    ],
)
def test_a_link_out_of_the_repository_is_not_followed(
    tmp_path: Path, link: str, target: str, file: str, where: str
) -> None:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "repository" / ".git" / "config").touch()
    path = tmp_path / "repository" / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)
    expected = (
        f"{path}: is a link to {target}, which is {where}; allowed: a link to what is in the "
        "repository"
    )
    assert message_of(OSError, check_in_repository, tmp_path / "repository" / file) == expected
    with pytest.raises(OSError, match="is a link to"):
        write_files(tmp_path, {tmp_path / "repository" / file: b""})
    assert [*(tmp_path / "mine").iterdir()] == []


def test_a_link_to_a_repository_is_followed(tmp_path: Path) -> None:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "here").symlink_to("repository")
    write_files(tmp_path, {tmp_path / "here" / "report.html": b""})
    assert (tmp_path / "repository" / "report.html").exists()
