"""Swapping folders and files of `dist/` in whole."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from charts_py.release.dist import Entry

_STAGING_PREFIX = ".synth-"
"""Folders of `dist` that a synth writes aside; only one that was killed leaves them behind."""


def settled_paths(dist: Path) -> tuple[Path, ...]:
    """Return what stands in `dist`, without what is only written aside, sorted."""
    there = (path for path in dist.glob("*") if not path.name.startswith(_STAGING_PREFIX))
    return tuple(sorted(there))


def replace_entries(dist: Path, entries: Mapping[str, Entry]) -> None:
    """Make `dist` hold just these folders and files at these paths; None removes one.

    Everything is written aside first and swapped in by renames; a failure puts back what was
    moved, so that `dist` is never half written.
    """
    dist.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=_STAGING_PREFIX, dir=dist))
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
