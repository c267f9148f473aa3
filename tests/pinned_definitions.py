"""The CustomResourceDefinitions below the folder that GPUPLANE_MIRROR names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from upstream.compile import load_documents


@cache
def definitions_by_file() -> Mapping[str, tuple[dict[str, Any], ...]]:
    """Return them by their files, read once; skip the test where the variable is not set."""
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    files = sorted((Path(mirror) / "crds").rglob("*.yaml"))
    return {file.relative_to(mirror).as_posix(): tuple(_definitions(file)) for file in files}


def pinned_definitions() -> Iterator[dict[str, Any]]:
    """Yield them all."""
    return chain.from_iterable(definitions_by_file().values())


def _definitions(file: Path) -> Iterator[dict[str, Any]]:
    for document in load_documents(file.read_bytes()):
        if document["kind"] == "CustomResourceDefinition":
            yield document
