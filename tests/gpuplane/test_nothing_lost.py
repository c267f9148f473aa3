"""Mistakes with files and folders: each is told in whole, and `dist/` stays as it was, to the byte.

A row is what somebody does in a shell, and what `gpuplane synth`, with and without `--check`, says
to it.
"""

import os
import subprocess
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import Result


class Row(NamedTuple):
    mistake: str
    message: str
    directory: str = "."
    """What -C names."""


NAMES = "NAME.yaml, folders, *.md, *.py, and what editors leave: .*, *~, #*#"
UNREAD = f"is not read, since its name does not end in .yaml; allowed: {NAMES}"
IN_REPOSITORY = "allowed: a link to what is in the repository"
ONE_FILE = "allowed: a file for each cluster; what they share stands in fleet.yaml"
NO_LINKS = "allowed: files and folders of their own, since git holds of a link only where it leads"
PLACES = "allowed: a platform repository, or in one"
GONE = "is gone, and what it rendered stays"

ROWS = (
    Row(
        "rm clusters/west.yaml",
        f"dist/west: clusters/west.yaml {GONE}; restore clusters/west.yaml, or ask for both to go: "
        "gpuplane remove west",
    ),
    Row(
        "mv clusters/west.yaml clusters/south.yaml",
        f"dist/west: clusters/west.yaml {GONE}; restore clusters/west.yaml, or ask for both to go: "
        "gpuplane remove west",
    ),
    Row(
        "mv clusters/west.yaml clusters/.west.yaml",
        f"dist/west: clusters/west.yaml {GONE}; restore clusters/west.yaml, or ask for both to go: "
        "gpuplane remove west",
    ),
    Row(
        "mv clusters/west.yaml clusters/west.YAML",
        f"clusters/west.YAML:1: {UNREAD}; nearest: west.yaml",
    ),
    Row(
        "mv clusters/west.yaml clusters/west.yml",
        f"clusters/west.yml:1: {UNREAD}; nearest: west.yaml",
    ),
    Row(
        "mv clusters/west.yaml clusters/west.yaml.txt",
        f"clusters/west.yaml.txt:1: {UNREAD}; nearest: west.yaml",
    ),
    Row("cp clusters/west.yaml clusters/west", f"clusters/west:1: {UNREAD}"),
    Row("cp clusters/west.yaml clusters/west.yaml.bak", f"clusters/west.yaml.bak:1: {UNREAD}"),
    Row(
        "rm clusters/west.yaml; mkdir clusters/west.yaml",
        "clusters/west.yaml:1: is a folder, but has the name of a cluster file; allowed: a file, "
        "or a folder of another name such as west",
    ),
    Row(
        "rm clusters/west.yaml; mkfifo clusters/west.yaml",
        f"clusters/west.yaml:1: is neither a file nor a folder; allowed: {NAMES}",
    ),
    Row(
        "ln -sf nowhere.yaml clusters/west.yaml",
        f"clusters/west.yaml:1: is a link to nowhere.yaml, where nothing is; {IN_REPOSITORY}",
    ),
    Row(
        "ln -sf west.yaml clusters/west.yaml",
        "clusters/west.yaml:1: is a link to west.yaml, which leads back to itself; "
        f"{IN_REPOSITORY}",
    ),
    Row(
        "mv clusters/west.yaml ../west.yaml; ln -s ../../west.yaml clusters/west.yaml",
        "clusters/west.yaml:1: is a link to ../../west.yaml, which is outside of the repository; "
        f"{IN_REPOSITORY}",
    ),
    Row(
        "ln -sf east.yaml clusters/west.yaml",
        f"clusters/west.yaml:1: is a link to the same file as east.yaml; {ONE_FILE}",
    ),
    Row(
        "mv clusters/west.yaml one.yaml; ln -sf ../one.yaml clusters/west.yaml; "
        "ln -sf ../one.yaml clusters/east.yaml",
        f"clusters/east.yaml:1: is a link to the same file as west.yaml; {ONE_FILE}\n"
        f"clusters/west.yaml:1: is a link to the same file as east.yaml; {ONE_FILE}",
    ),
    Row(
        "mv clusters ../elsewhere; ln -s ../elsewhere clusters",
        "clusters:1: is a link to ../elsewhere, which is outside of the repository; "
        f"{IN_REPOSITORY}",
    ),
    Row("mv clusters files", "clusters: no such folder; allowed: a folder of cluster files"),
    Row(
        "rm -r clusters; touch clusters",
        "clusters: is a file; allowed: a folder of cluster files",
    ),
    Row("rm clusters/*", "clusters: no cluster file (*.yaml other than fleet.yaml)"),
    Row("mv dist d; touch dist", "dist: is a file; allowed: a folder, which gpuplane synth makes"),
    Row("mv dist d; ln -s d dist", f"dist: is a link to d; {NO_LINKS}"),
    Row("mv dist d; ln -s nowhere dist", f"dist: is a link to nowhere; {NO_LINKS}"),
    Row(
        "mv dist/west d; touch dist/west",
        "dist/west: is a file; allowed: folders of clusters, and fleet; move it",
    ),
    Row("mv dist/west d; ln -s ../d dist/west", f"dist/west: is a link to ../d; {NO_LINKS}"),
    Row(
        "mv dist/west/1.0.0 d; ln -s ../../d dist/west/1.0.0",
        f"dist/west/1.0.0: is a link to ../../d; {NO_LINKS}",
    ),
    Row(
        "touch dist/notes.txt",
        "dist/notes.txt: is a file; allowed: folders of clusters, and fleet; move it",
    ),
    Row("touch notes.txt", f"notes.txt: is a file; {PLACES}", "notes.txt"),
    Row(":", f"missing: no such folder; {PLACES}", "missing"),
    Row(
        "mkdir ../elsewhere",
        "{}/elsewhere: no clusters/ here or above, so this is not a platform repository; name one "
        "with -C, or make one: gpuplane init",
        "../elsewhere",
    ),
    Row(
        "mv clusters/west.yaml clusters/west.yml",
        f"clusters/west.yml:1: {UNREAD}; nearest: west.yaml",
        "dist/west",
    ),
)

DENIED = (
    Row(
        "chmod 000 clusters/west.yaml",
        "clusters/west.yaml:1: cannot be read: permission denied; allowed: what you may read",
    ),
    Row(
        "chmod 000 clusters",
        "clusters:1: cannot be read: permission denied; allowed: what you may read",
    ),
    Row("chmod 000 dist/west", "dist/west: cannot be read: permission denied"),
    Row("chmod 000 dist", "dist: cannot be read: permission denied"),
)


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with two clusters of which something was rendered."""
    made = tmp_path / "repository"
    for name in ("east", "west"):
        for file in (f"clusters/{name}.yaml", f"dist/{name}/1.0.0/release.json"):
            (made / file).parent.mkdir(parents=True, exist_ok=True)
            (made / file).write_text(f"{name}: {file}\n", encoding="utf-8")
    (made / ".git").mkdir()
    monkeypatch.chdir(made)
    return made


def _told(run: Callable[..., Result], row: Row) -> None:
    """Assert what is told of a mistake, and that nothing of the repository is changed."""
    subprocess.run(["sh", "-c", row.mistake], check=True)
    before = _tree(Path())
    for options in ((), ("--check",)):
        result = run("-C", row.directory, "synth", *options)
        message = row.message.format(Path("..").resolve())
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")
    assert _tree(Path()) == before


def _tree(folder: Path) -> dict[str, bytes | str]:
    """Return the content of every file and the target of every link, by path."""
    paths = [Path(place, name) for place, *names in os.walk(folder) for name in chain(*names)]
    return {
        str(path): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in paths
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("row", ROWS, ids=[row.mistake for row in ROWS])
def test_a_mistake_is_told_and_loses_nothing(run: Callable[..., Result], row: Row) -> None:
    _told(run, row)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("row", DENIED, ids=[row.mistake for row in DENIED])
def test_what_may_not_be_read_is_told(run: Callable[..., Result], row: Row) -> None:
    subprocess.run(["sh", "-c", row.mistake], check=True)
    result = run("synth")
    subprocess.run(["chmod", "-R", "u+rwX", "."], check=True)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{row.message}\n")


def test_what_is_not_for_gpuplane_is_passed_over(
    run: Callable[..., Result], repository: Path
) -> None:
    names = (".west.yaml.swp", ".#west.yaml", "west.yaml~", "#west.yaml#", ".DS_Store", "README.md")
    for name in names:
        (repository / "clusters" / name).touch()
    (repository / "dist" / ".DS_Store").touch()
    assert run("synth", "east").stderr.startswith("clusters/east.yaml:1: ")
