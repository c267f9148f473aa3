"""What a page needs of Pyodide, and how what is missing is told."""

import json
from pathlib import Path

import pytest

from gpuplane.playground.pyodide_folder import read_pyodide

INFO = {"abi_version": "2026_0", "arch": "wasm32", "python": "3.14.2"}
LOCK = {"info": INFO, "packages": {"numpy": {"file_name": "numpy.whl"}}}
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
WHEEL = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*RUNTIME, WHEEL):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    return tmp_path


def test_its_files_are_read_and_no_package_can_be_loaded(folder: Path) -> None:
    assert read_pyodide(folder) == {
        **{name: name.encode() for name in RUNTIME},
        "pyodide-lock.json": json.dumps({"info": INFO, "packages": {}}).encode(),
        "msgspec.whl": WHEEL.encode(),
    }


@pytest.mark.parametrize("name", [*RUNTIME, "pyodide-lock.json"])
def test_a_missing_file_of_the_package_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError) as caught:
        read_pyodide(folder)
    assert str(caught.value) == (
        f"{folder}: no {name}; allowed: the npm package pyodide, as this has it: "
        "npm install pyodide@314.0.7"
    )


def test_a_wheel_for_another_pyodide_is_none(folder: Path) -> None:
    (folder / WHEEL).rename(folder / WHEEL.replace("2026_0", "2025_0"))
    with pytest.raises(FileNotFoundError) as caught:
        read_pyodide(folder)
    assert str(caught.value) == (
        f"{folder}: no msgspec for this Pyodide; to get it: pip download msgspec --no-deps "
        "--only-binary :all: --python-version 3.14 --platform pyemscripten_2026_0_wasm32 "
        f"--dest {folder}"
    )
