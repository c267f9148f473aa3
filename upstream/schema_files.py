"""Compiled schemas as files: their paths, writing them, and what differs."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from upstream.schema import Schema

ServedKinds: TypeAlias = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Kinds by the folder of their schemas below the compiled ones, and by `apiVersion`.

A definition lists all versions that it serves. A JSON schema is of one of them, and tells of no
other: its kind is left out.
"""
CRDS = "crds"
"""The folder of the schemas of custom resources, below the compiled schemas."""
METADATA_FILE = "metadata.json"
"""The schema of a named object's metadata, below the compiled schemas."""
IMMUTABLE_FILE = "immutable.json"
"""Which fields of custom resources are immutable; beside the schemas, which have no word for it."""
KINDS_FILE = "kinds.json"
"""Which kinds are served in which versions; the names of the schemas' files have no capitals."""


def core_folder(minor: str) -> str:
    return f"core/v{minor}"


def committed_schemas() -> Path:
    return Path(str(files("upstream"))) / "schemas"


def load_metadata() -> Schema:
    metadata: Schema = json.loads((committed_schemas() / METADATA_FILE).read_bytes())
    return metadata


def write_schemas(compiled: Mapping[str, bytes], directory: Path) -> None:
    """Make the folder hold exactly these files; remove left-over schemas."""
    for path in schema_files(directory).keys() - compiled.keys():
        (directory / path).unlink()
    for path, content in compiled.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for folder in sorted(directory.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def schema_files(directory: Path) -> dict[str, bytes]:
    """Return the bytes of each schema below a folder, by its path relative to it."""
    return {
        file.relative_to(directory).as_posix(): file.read_bytes()
        for file in sorted(directory.rglob("*.json"))
    }


def differences(compiled: Mapping[str, bytes], directory: Path) -> list[str]:
    """Return each path where the folder differs from these files: missing, left over, differs."""
    committed = schema_files(directory)
    found = dict.fromkeys(compiled.keys() - committed.keys(), "missing")
    found |= dict.fromkeys(committed.keys() - compiled.keys(), "left over")
    both = compiled.keys() & committed.keys()
    found |= {path: "differs" for path in both if compiled[path] != committed[path]}
    return [f"{path}: {how}" for path, how in sorted(found.items())]


@cache
def committed_kinds() -> ServedKinds:
    folders = json.loads((committed_schemas() / KINDS_FILE).read_bytes())
    return {
        folder: {api_version: tuple(kinds) for api_version, kinds in versions.items()}
        for folder, versions in folders.items()
    }


def kinds_of(compiled: Mapping[str, bytes]) -> ServedKinds:
    """Return the kinds of compiled schemas, by their paths below the folder of all."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for path, content in sorted(compiled.items()):
        folder = PurePosixPath(path).parents[1].as_posix()
        properties = json.loads(content)["properties"]
        (api_version,) = properties["apiVersion"]["enum"]
        versions = found.setdefault(folder, {})
        versions[api_version] = (*versions.get(api_version, ()), *properties["kind"]["enum"])
    return found


def kinds_json(kinds: ServedKinds) -> bytes:
    return f"{json.dumps(kinds, indent=1, sort_keys=True)}\n".encode()
