"""Swapping folders and files of `dist/` in whole."""

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gpuplane.aside_folder import MOVED, STAGED_VERSIONS, aside_folder
from gpuplane.versions.tree import DistError, Entry, holds_files, write_entry

_NEW = "new"
"""Holds what is to stand in `dist`, beside what is moved out of it."""


def settled_paths(dist: Path) -> tuple[Path, ...]:
    """Return the paths in `dist`, sorted, without those that are only written aside."""
    there = (path for path in dist.glob("*") if not path.name.startswith(STAGED_VERSIONS))
    return tuple(sorted(there))


def unfinished(dist: Path) -> tuple[Path, ...]:
    """Return the folders that a killed run had moved aside before it moved the rest, sorted."""
    aside = sorted(dist.glob(f"{STAGED_VERSIONS}*/{MOVED}"))
    return tuple(folder for folder in aside if holds_files(folder))


def replace_entries(
    dist: Path, entries: Mapping[str, Entry], removed_with: Collection[Path] = ()
) -> None:
    """Make `dist` hold just these folders and files at these paths; None removes one.

    `removed_with` are files elsewhere that are removed with what they render.

    Everything is written aside first and swapped in by renames; a failure puts back what was
    moved, so that nothing is ever half written. Raises OSError with a message that names `dist`,
    DistError where something could not be put back.
    """
    try:
        _replace(dist, entries, removed_with)
    except OSError as error:
        reason = error.strerror or str(error)
        names = (error.filename, error.filename2)
        places = [f" ({name})" for name in names if name and STAGED_VERSIONS not in str(name)]
        said = "".join((reason[:1].lower(), reason[1:], *places[:1]))
        raise OSError(f"{dist}: cannot be written: {said}; nothing is changed") from error


def _replace(dist: Path, entries: Mapping[str, Entry], removed_with: Collection[Path]) -> None:
    dist.mkdir(parents=True, exist_ok=True)
    try:
        with aside_folder(dist, STAGED_VERSIONS) as staging:
            _write_and_swap(dist, staging, entries, removed_with)
    except BaseException:
        for folder in (*((dist / name).parent for name in entries), dist):
            with suppress(OSError):
                folder.rmdir()
        raise


def _write_and_swap(
    dist: Path, staging: Path, entries: Mapping[str, Entry], removed_with: Collection[Path]
) -> None:
    old, new = staging / MOVED, staging / _NEW
    try:
        for name, entry in entries.items():
            write_entry(new / name, entry)
        # Files outside of `dist` go apart from those in it.
        removals = (
            (file, old / f"{STAGED_VERSIONS}{number}" / file.name)
            for number, file in enumerate(removed_with)
        )
        _swap([*_moves(dist, staging, tuple(entries)), *removals])
    except BaseException:
        if holds_files(old):
            raise DistError(f"{dist}: half written; what stood there is in {old}") from None
        shutil.rmtree(staging, ignore_errors=True)
        raise
    # From the first step on nobody takes what was replaced for unfinished.
    with suppress(OSError):
        old.rename(staging / "replaced")
    shutil.rmtree(staging, ignore_errors=True)


def _swap(moves: Iterable[tuple[Path, Path]]) -> None:
    moved: list[tuple[Path, Path]] = []
    try:
        for origin, target in moves:
            target.parent.mkdir(parents=True, exist_ok=True)
            origin.rename(target)
            moved.append((origin, target))
    # An interrupt as well, or what was moved would be deleted with what was written aside.
    except BaseException:
        for origin, target in reversed(moved):
            target.rename(origin)
        raise


def _moves(dist: Path, staging: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, Path]]:
    for name in names:
        if (dist / name).exists():
            yield dist / name, staging / MOVED / name
        if (staging / _NEW / name).exists():
            yield staging / _NEW / name, dist / name
