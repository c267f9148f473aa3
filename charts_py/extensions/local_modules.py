"""Importing Python modules that are next to a cluster file."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def local_modules(directory: Path) -> Iterator[None]:
    """Let modules of a folder be imported, before any others of their names.

    Afterwards they are forgotten, so that a module of another cluster's folder is never mistaken
    for one of this folder, and the modules that they replaced are restored.
    """
    names = frozenset(local_names(directory))
    outside = _take(names)
    path, writes_bytecode = list(sys.path), sys.dont_write_bytecode
    sys.path.insert(0, str(directory))
    # Compiled files do not belong in a folder of cluster files.
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield
    finally:
        _take(names)
        sys.modules.update(outside)
        sys.path[:], sys.dont_write_bytecode = path, writes_bytecode


def local_names(directory: Path) -> Iterator[str]:
    """Yield the modules and packages that a folder has."""
    for entry in directory.iterdir():
        if entry.suffix == ".py" or (entry.is_dir() and any(entry.glob("*.py"))):
            yield entry.stem


def _take(names: frozenset[str]) -> dict[str, ModuleType]:
    """Remove modules of these names, and their submodules, from those imported; return them."""
    taken = [name for name in sys.modules if name.partition(".")[0] in names]
    return {name: sys.modules.pop(name) for name in taken}
