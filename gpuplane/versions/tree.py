"""Reading and comparing what stands in `dist/`."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeAlias

from charts_py.cluster_file.other_names import unknown_name


class DistError(Exception):
    """`dist/` is wrong; the message names culprit, allowed names and the nearest one."""


Tree: TypeAlias = Mapping[str, bytes]
"""Content of files by their path below a folder."""
Entry: TypeAlias = Tree | bytes | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths that differ, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def read_tree(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def holds_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))


def is_manifest(path: str) -> bool:
    return path.endswith(".yaml")


def compare(old: Mapping[str, object], new: Mapping[str, object]) -> Changes:
    return Changes(
        added=tuple(sorted(new.keys() - old.keys())),
        changed=tuple(sorted(path for path in new.keys() & old.keys() if new[path] != old[path])),
        removed=tuple(sorted(old.keys() - new.keys())),
    )


def read_entry(path: Path) -> Entry:
    if path.is_dir():
        return read_tree(path)
    return path.read_bytes() if path.exists() else None


def write_entry(path: Path, entry: Entry) -> None:
    """Write a file, or the files of a folder; nothing for None.

    Raises DistError for a file that would lie outside of the folder.
    """
    if isinstance(entry, bytes):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry)
    elif entry is not None:
        for name, content in entry.items():
            if PurePath(name).is_absolute() or ".." in PurePath(name).parts:
                raise DistError(f"{path}: {name} leads out of it; allowed: files in it")
            write_entry(path / name, content)


def compare_entries(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> Changes:
    return compare(_files(old), _files(new))


def _files(entries: Mapping[str, Entry]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path, entry in entries.items():
        if isinstance(entry, bytes):
            files[path] = entry
        elif entry is not None:
            files |= {f"{path}/{name}": content for name, content in entry.items()}
    return files


def not_rendered(file: object, version: str, folder: Path) -> DistError:
    what = f"{file}: version {version} is not in {folder}"
    return DistError(f"{what}; render it first: gpuplane synth {shlex.quote(folder.name)}")


def unknown(kind: str, name: str, allowed: Collection[str], place: object = None) -> DistError:
    return DistError(unknown_name(kind, name, allowed, place))
