from pathlib import Path

import pytest

from gpuplane.admission.manifest_sources import read_sources
from tests.gpuplane.messages import message_of

POD = '{"apiVersion": "v1", "kind": "Pod"}'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to read, in the working directory."""
    monkeypatch.chdir(tmp_path)
    folder = Path("folder")
    folder.mkdir()
    return folder


def _written(folder: Path, *named: tuple[str, str]) -> None:
    for name, content in named:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def test_a_folder_is_read_in_the_order_of_its_paths_without_what_is_hidden(folder: Path) -> None:
    _written(folder, ("b.yml", ""), ("a/c.yaml", ""), (".git/d.yaml", ""), ("e.txt", ""))
    sources, _ = read_sources(["folder"])
    assert [each.shown_as for each in sources] == ["folder/a/c.yaml", "folder/b.yml"]


@pytest.mark.parametrize(
    ("content", "is_foreign"),
    [
        ('{"name": "web", "dependencies": {}}', True),
        ('{"kind": "Pod"}', True),
        ("[1, 2]", True),
        ("// a comment\n{}", True),
        ("", True),
        ("\xff", True),
        ("[" * 100_000, True),
        (POD, False),
        (POD[:-1], False),
        ("apiVersion: v1\nkind: Pod", False),
    ],
)
def test_json_in_a_folder_that_is_no_manifest_is_foreign(
    folder: Path, content: str, *, is_foreign: bool
) -> None:
    _written(folder, ("a.json", POD), ("b.json", content))
    read = ["folder/a.json", *([] if is_foreign else ["folder/b.json"])]
    assert [each.shown_as for each in read_sources(["folder"])[0]] == read


def test_what_is_foreign_is_named_once(folder: Path) -> None:
    _written(folder, ("a.json", POD), ("package.json", "{}"))
    (note,) = read_sources(["folder", "folder"])[1]
    assert note == (
        "folder/package.json: is passed over, since JSON in a folder without apiVersion and kind "
        "is no manifest"
    )


def test_a_file_that_is_named_itself_is_read_whatever_it_holds(folder: Path) -> None:
    _written(folder, ("package.json", "{}"))
    assert [each.content for each in read_sources(["folder/package.json"])[0]] == [b"{}"]


@pytest.mark.parametrize("names", [(), ("package.json",), ("notes.txt",)])
def test_a_folder_without_manifests_says_what_is_allowed(
    folder: Path, names: tuple[str, ...]
) -> None:
    _written(folder, *((name, "{}") for name in names))
    assert message_of(FileNotFoundError, read_sources, ["folder"]) == (
        "folder: a folder without manifests; allowed: one with *.json, *.yaml, *.yml"
    )


def test_a_dash_is_stdin_where_that_is_read(folder: Path) -> None:
    _written(folder, ("../-", "a file"))
    assert [each.content for each in read_sources(["-", "-"], lambda _: b"stdin")[0]] == [b"stdin"]
    assert [each.content for each in read_sources(["-"])[0]] == [b"a file"]
