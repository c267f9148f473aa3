"""A platform repository as the disk or a commit holds it."""

from pathlib import Path
from typing import Protocol

from gpuplane.versions.tree import Tree, read_tree


class Snapshot(Protocol):
    """One state of the files of a platform repository."""

    def name(self, file: Path) -> str:
        """Return what a file is called in messages."""

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""


class WorkTree:
    """What is on disk."""

    def name(self, file: Path) -> str:
        """Return its path."""
        return str(file)

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""
        return file.read_bytes() if file.is_file() else None

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""
        return read_tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""
        return tuple(sorted(path.name for path in folder.glob("*/") if path.is_dir()))
