import importlib
import json
import sys
from pathlib import Path

from charts_py.extensions.local_modules import local_modules


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _value(directory: Path, module: str) -> object:
    with local_modules(directory):
        return importlib.import_module(module).VALUE


def test_each_folder_has_its_own_module_of_a_name(tmp_path: Path) -> None:
    for cluster in ("a", "b"):
        _write(tmp_path / cluster / "shared.py", f"VALUE = '{cluster}'")
        _write(tmp_path / cluster / "extra.py", "from shared import VALUE")
    assert [_value(tmp_path / cluster, "extra") for cluster in ("a", "b")] == ["a", "b"]


def test_a_module_in_a_folder_is_found_with_or_without_an_init_file(tmp_path: Path) -> None:
    _write(tmp_path / "plain" / "extra.py", "VALUE = 1")
    _write(tmp_path / "package" / "__init__.py", "VALUE = 2")
    _write(tmp_path / "package" / "extra.py", "from . import VALUE")
    assert _value(tmp_path, "plain.extra") == 1
    assert _value(tmp_path, "package.extra") == 2


def test_a_module_precedes_an_installed_one_of_its_name_only_meanwhile(tmp_path: Path) -> None:
    _write(tmp_path / "json.py", "VALUE = 'mine'")
    assert _value(tmp_path, "json") == "mine"
    assert sys.modules["json"] is json


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    _write(tmp_path / "extra.py", "VALUE = 1")
    before = (list(sys.path), set(sys.modules), sys.dont_write_bytecode)
    _value(tmp_path, "extra")
    assert (list(sys.path), set(sys.modules), sys.dont_write_bytecode) == before
    assert [path.name for path in tmp_path.iterdir()] == ["extra.py"]
