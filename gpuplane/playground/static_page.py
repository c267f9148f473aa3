"""A page that needs no server: Python and the rules are in it."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace as replace_setting

from gpuplane.playground.cluster_facts import PlaygroundFacts
from gpuplane.playground.page import Answering, Page, build_page, page_data, page_file

_LOADED = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print(json.dumps(files))
"""
"""Prints the files of all modules that a module needs. It runs in a process of its own, as this one
has loaded more."""
_ENTRY = "gpuplane.playground.playground_answer"
_NEEDED = ("charts_py", "gpuplane", "gpus", "jsonpointer", "policies", "yaml")
"""Packages that are pure Python. msgspec is not, and has a wheel for Pyodide."""
_DAWN = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can state, so that the same files make the same archive."""
TESTED = "314.0.7"
"""The version of Pyodide that its tests ran last."""
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"
_PACKAGE = "msgspec"
_WHERE = "It stays in this page: your browser runs the rules, and nothing is sent to anybody."
_ALLOWED = {
    "script-src": "blob: 'wasm-unsafe-eval'",
    "worker-src": "blob:",
    "trusted-types": "worker",
}


def static_page(clusters: Sequence[PlaygroundFacts], examples: Path, pyodide: Path) -> Page:
    """Return the page; raises FileNotFoundError where the folder of Pyodide lacks something."""
    files = {
        **read_pyodide(pyodide),
        "rules.zip": rules_archive(),
        "facts.json": msgspec.json.encode([for_browser(facts) for facts in clusters]),
    }
    # The same for the same bytes.
    packed = {
        name: b64encode(gzip.compress(content, mtime=0)).decode() for name, content in files.items()
    }
    blocks = {**packed, "worker": page_file("worker.js")}
    by_browser = Answering("ask_browser.js", _WHERE, _ALLOWED, blocks)
    return build_page(page_data(clusters, examples), by_browser)


def for_browser(facts: PlaygroundFacts) -> PlaygroundFacts:
    """Return the facts without rules in CEL: nothing evaluates these in Pyodide."""
    return replace(
        facts,
        settings=replace_setting(facts.settings, own=()),
        unjudged=tuple(own.name for own in facts.settings.own),
        workers=tuple(map(for_browser, facts.workers)),
    )


def rules_archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, source in sorted({**_sources(), **_tables()}.items()):
            archive.writestr(zipfile.ZipInfo(name, _DAWN), source)
    return packed.getvalue()


def _sources() -> dict[str, bytes]:
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
    tables = {f"gpus/tables/{file.name}": file.read_bytes() for file in folder.iterdir()}
    others = (
        ("policies.pod_security", "forbidden.toml"),
        ("policies.workloads", "kinds.toml"),
        ("gpuplane.admission", "pod_shape.yaml"),
    )
    for package, name in others:
        tables[f"{package.replace('.', '/')}/{name}"] = (files(package) / name).read_bytes()
    return tables


def _place(name: str, file: Path) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if file.name == "__init__.py" else f"{path}.py"


def read_pyodide(folder: Path) -> dict[str, bytes]:
    """Return the files that a page needs, by name.

    Raises FileNotFoundError, which says what is missing and how to get it.
    """
    for name in (*_RUNTIME, _LOCK):
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder}: no {name}; allowed: the npm package pyodide, as this has it: "
                f"npm install pyodide@{TESTED}"
            )
    info = json.loads((folder / _LOCK).read_bytes())["info"]
    return {
        **{name: (folder / name).read_bytes() for name in _RUNTIME},
        # Without packages, so that none is ever loaded from elsewhere.
        _LOCK: json.dumps({"info": info, "packages": {}}).encode(),
        f"{_PACKAGE}.whl": _wheel(folder, info),
    }


def _wheel(folder: Path, info: Mapping[str, Any]) -> bytes:
    minor = str(info["python"]).rpartition(".")[0]
    tag = f"cp{minor.replace('.', '')}"
    platform = f"pyemscripten_{info['abi_version']}_{info['arch']}"
    found = sorted(folder.glob(f"{_PACKAGE}-*-{tag}-{tag}-{platform}.whl"))
    if not found:
        raise FileNotFoundError(
            f"{folder}: no {_PACKAGE} for this Pyodide; to get it: pip download {_PACKAGE} "
            f"--no-deps --only-binary :all: --python-version {minor} --platform {platform} "
            f"--dest {folder}"
        )
    return found[-1].read_bytes()
