"""Comparing folders of `dist/` with what they are to hold, and swapping them in whole."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Tree: TypeAlias = Mapping[str, bytes]
"""Content of files by their path below a folder."""

Entry: TypeAlias = Tree | bytes | None
"""What stands at a path: a folder, a file, or nothing."""


STAGING_PREFIX = ".synth-"
"""Folders of `dist` that a synth writes aside; none is left behind."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths that differ, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder; empty where there is none."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def compare(old: Mapping[str, object], new: Mapping[str, object]) -> Changes:
    """Return what differs between two trees, or between the digests of two."""
    return Changes(
        added=tuple(sorted(new.keys() - old.keys())),
        changed=tuple(sorted(path for path in new.keys() & old.keys() if new[path] != old[path])),
        removed=tuple(sorted(old.keys() - new.keys())),
    )


def read_entry(path: Path) -> Entry:
    """Return what stands at a path."""
    if path.is_dir():
        return read_tree(path)
    return path.read_bytes() if path.exists() else None


def replace_entries(dist: Path, entries: Mapping[str, Entry]) -> None:
    """Make `dist` hold just these folders and files at these paths; None removes one.

    Everything is written aside first and swapped in by renames; a failure puts back what was
    moved, so that `dist` is never half written.
    """
    dist.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=STAGING_PREFIX, dir=dist))
    try:
        for name, entry in entries.items():
            _write(staging / "new" / name, entry)
        _swap(dist, staging, tuple(entries))
    finally:
        shutil.rmtree(staging)


def _write(path: Path, entry: Entry) -> None:
    if entry is None:
        return
    if isinstance(entry, bytes):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry)
        return
    for name, content in entry.items():
        _write(path / name, content)


def _swap(dist: Path, staging: Path, names: tuple[str, ...]) -> None:
    moved: list[tuple[Path, Path]] = []
    try:
        for origin, target in _moves(dist, staging, names):
            target.parent.mkdir(parents=True, exist_ok=True)
            origin.rename(target)
            moved.append((origin, target))
    except OSError:
        for origin, target in reversed(moved):
            target.rename(origin)
        raise


def _moves(dist: Path, staging: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, Path]]:
    """Yield what is to be renamed to what, in order."""
    for name in names:
        if (dist / name).exists():
            yield dist / name, staging / "old" / name
        if (staging / "new" / name).exists():
            yield staging / "new" / name, dist / name
