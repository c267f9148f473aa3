"""Copies of the sources of Go modules, in which something stands differently."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def copy_source(source: Path, target: Path, change: Callable[[Path], None]) -> None:
    """Copy a source and change the copy, unless it is there.

    Go replaces no file of a module (`go help build`, `-overlay`).
    """
    if target.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        copy = Path(folder) / target.name
        shutil.copytree(source, copy, copy_function=shutil.copyfile)
        # Go keeps the folders of modules read-only.
        for each in (copy, *filter(Path.is_dir, copy.rglob("*"))):
            each.chmod(0o755)
        change(copy)
        copy.replace(target)
