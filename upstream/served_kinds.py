"""The kinds of Kubernetes and of the pinned definitions, by the versions that serve them.

A definition lists all versions that it serves. A JSON schema is of one of them, and tells of no
other: its kind is left out.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from upstream.schema_files import KINDS_FILE, committed_schemas

ServedKinds: TypeAlias = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Kinds by the folder of their schemas below the compiled ones, and by `apiVersion`."""


@cache
def committed_kinds() -> ServedKinds:
    """Return those that this package carries."""
    folders = json.loads((committed_schemas() / KINDS_FILE).read_bytes())
    return {
        folder: {api_version: tuple(kinds) for api_version, kinds in versions.items()}
        for folder, versions in folders.items()
    }


def kinds_of(compiled: Mapping[str, bytes]) -> ServedKinds:
    """Return the kinds of compiled schemas, by their paths below the folder of all."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for path, content in sorted(compiled.items()):
        folder = path.rpartition("/")[0].rpartition("/")[0]
        properties = json.loads(content)["properties"]
        (api_version,) = properties["apiVersion"]["enum"]
        versions = found.setdefault(folder, {})
        versions[api_version] = (*versions.get(api_version, ()), *properties["kind"]["enum"])
    return found


def to_json(kinds: ServedKinds) -> bytes:
    """Return them as JSON, sorted by folder and version."""
    return f"{json.dumps(kinds, indent=1, sort_keys=True)}\n".encode()
