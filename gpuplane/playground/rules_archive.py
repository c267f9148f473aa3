"""The rules, and what they need of Python, as an archive that a browser unpacks."""

import io
import json
import os
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

_LOADED = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print(json.dumps(files))
"""
"""Prints the files of all modules that a module needs. It runs in a process of its own, as this one
has loaded more."""
_ENTRY = "gpuplane.playground.browser"
_NEEDED = ("charts_py", "gpuplane", "gpus", "jsonpointer", "policies", "yaml")
"""Packages that are pure Python. msgspec is not, and has a wheel for Pyodide."""
_DAWN = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can state, so that the same files make the same archive."""


def rules_archive() -> bytes:
    """Return the archive of the modules that answer, and of the tables of hardware."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, source in sorted({**_sources(), **_tables()}.items()):
            archive.writestr(zipfile.ZipInfo(name, _DAWN), source)
    return packed.getvalue()


def _sources() -> dict[str, bytes]:
    """Return the sources of the modules, by where they stand in an archive."""
    command = [sys.executable, "-c", _LOADED, _ENTRY]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(  # noqa: S603 # it is Python itself
        command, env=environment, stdout=subprocess.PIPE, check=True
    ).stdout
    return {
        _place(name, Path(file)): Path(file).read_bytes()
        for name, file in json.loads(printed).items()
        if file and name.partition(".")[0] in _NEEDED and file.endswith(".py")
    }


def _tables() -> dict[str, bytes]:
    folder = files("gpus") / "tables"
    return {f"gpus/tables/{file.name}": file.read_bytes() for file in folder.iterdir()}


def _place(name: str, file: Path) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if file.name == "__init__.py" else f"{path}.py"
