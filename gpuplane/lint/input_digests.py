"""Digests of what findings follow from, besides the manifests."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from gpuplane.lint.digest import digest

_PACKAGES = Path(__file__).parents[2]
_NAMES = ("charts_py", "culling", "gpus", "policies", "upstream")
"""Those from which settings and findings follow."""
_LIBRARIES = ("cel_expr_python", "jsonpointer", "msgspec", "pydantic", "yaml")


def installation_digest(packages: Path = _PACKAGES) -> str:
    """Return a name for these files of gpuplane, by their names, sizes and times.

    And for Python and the libraries that read manifests and settings.
    """
    found = [line for name in _NAMES for line in sorted(_states(packages / name))]
    libraries = [_state(spec.origin) for spec in map(find_spec, _LIBRARIES) if spec and spec.origin]
    return digest(sys.version, *libraries, *found)


def folder_digest(folder: Path) -> str:
    """Return a name for all that a folder holds; raises OSError for what cannot be read."""
    files = sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    parts: list[str | bytes] = [str(folder.resolve())]
    for path in files:
        parts.append(str(path.relative_to(folder)))
        parts.append(path.read_bytes() if path.is_file() else b"")
    return digest(*parts)


def _states(folder: Path) -> Iterator[str]:
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            yield _state(f"{above}/{name}")


def _state(path: str) -> str:
    state = os.stat(path)  # noqa: PTH116 # of a thousand files; a Path takes twice as long
    return f"{path} {state.st_size} {state.st_mtime_ns}"
