"""The CustomResourceDefinitions below the folder that GPUPLANE_MIRROR names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from upstream.compile import load_documents

PinnedDefinitions: TypeAlias = Mapping[str, tuple[dict[str, Any], ...]]
"""By their files."""


def read_definitions(mirror: Path) -> PinnedDefinitions:
    """Return them all, which takes seconds."""
    files = sorted((mirror / "crds").rglob("*.yaml"))
    return {file.relative_to(mirror).as_posix(): tuple(_definitions(file)) for file in files}


def all_of(definitions: PinnedDefinitions) -> Iterator[dict[str, Any]]:
    """Yield them without their files."""
    return chain.from_iterable(definitions.values())


def _definitions(file: Path) -> Iterator[dict[str, Any]]:
    for document in load_documents(file.read_bytes()):
        if document["kind"] == "CustomResourceDefinition":
            yield document
