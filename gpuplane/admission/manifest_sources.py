"""The manifests that arguments name: files, folders and stdin."""

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gpus.nearest import nearest, nearest_hint

_READABLE = "allowed: regular files, folders, and - for stdin"
STDIN = "-"
SUFFIXES = (".json", ".yaml", ".yml")
"""kubectl reads these files of a folder."""
_ALLOWED = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
MAX_FILE_BYTES = 8 * 2**20
"""Size of a file whose objects are judged. One of 4 MiB that holds small pods alone takes 700 MB of
memory; the CustomResourceDefinitions of large projects have up to 5 MiB together."""
MAX_EXPORT_BYTES = 4 * MAX_FILE_BYTES
"""Size of a file that a cluster's objects were exported to: 7,000 pods, or 1,000 nodes, have as
much."""


@dataclass(frozen=True, slots=True)
class ManifestSource:
    """A file and what it holds."""

    shown_as: str
    content: bytes
    is_named: bool = True
    """Whether the user named it: a file of a folder may be meant for something else."""


@dataclass(frozen=True, slots=True)
class ManifestSources:
    """The files that were found by the given names."""

    read: tuple[ManifestSource, ...]
    foreign: tuple[str, ...] = ()
    """JSON in folders that holds no object, such as `package.json` or a dashboard, by its path."""

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for each foreign file."""
        what = "is passed over, since JSON in a folder without apiVersion and kind is no manifest"
        return tuple(f"{path}: {what}" for path in self.foreign)


def read_sources(
    named: Iterable[str],
    read_stdin: Callable[[], bytes] | None = None,
    *,
    max_bytes: int = MAX_FILE_BYTES,
) -> ManifestSources:
    """Read files and folders with all in them, each file once; and stdin for `-`.

    In a folder, what begins with a dot is left out, and foreign JSON is. Raises FileNotFoundError
    for a file that is not there and for a folder without a manifest, and OSError for what cannot be
    read, and for what is larger than `max_bytes`. Without `read_stdin`, `-` is a file.
    """
    sources: dict[str, ManifestSource] = {}
    foreign: list[str] = []
    for name in named:
        if name == STDIN and read_stdin is not None:
            sources.setdefault(STDIN, ManifestSource(STDIN, stdin_content(read_stdin, max_bytes)))
            continue
        path = Path(name)
        check_named(path)
        found = _of_folder(path, max_bytes) if path.is_dir() else [_read(path, max_bytes)]
        for each in found:
            if isinstance(each, ManifestSource):
                sources.setdefault(os.path.realpath(each.shown_as), each)
            else:
                foreign.append(each)
    return ManifestSources(tuple(sources.values()), tuple(dict.fromkeys(foreign)))


def _of_folder(folder: Path, max_bytes: int) -> list[ManifestSource | str]:
    """Return the sources, and the paths of foreign files."""
    files = (_read(file, max_bytes) for file in files_of(folder))
    sources = [replace(each, is_named=False) for each in files]
    found = [
        source.shown_as if is_foreign(source.shown_as, source.content) else source
        for source in sources
    ]
    if not any(isinstance(each, ManifestSource) for each in found):
        raise _nothing_in(folder)
    return found


def _read(file: Path, max_bytes: int) -> ManifestSource:
    return ManifestSource(str(file), file_content(file, max_bytes))


def file_content(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a file.

    Raises OSError for what cannot be read, for what is larger than `max_bytes`, and for what may
    never end: a device, a socket or a pipe with a name. A shell's pipe, as in
    `<(helm template .)`, has none, and ends with its program.
    """
    status = path.stat()
    is_anonymous = stat.S_ISFIFO(status.st_mode) and not os.path.lexists(os.path.realpath(path))
    if not stat.S_ISREG(status.st_mode) and not is_anonymous:
        raise OSError(f"{path}: is not a regular file; {_READABLE}")
    _check_size(str(path), status.st_size, max_bytes)
    content = path.read_bytes()
    _check_size(str(path), len(content), max_bytes)
    return content


def stdin_content(read_stdin: Callable[[], bytes], max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read stdin; raise OSError where it is larger than `max_bytes`."""
    content = read_stdin()
    _check_size(STDIN, len(content), max_bytes)
    return content


def _check_size(shown_as: str, size: int, max_bytes: int) -> None:
    """Raise OSError where a file is larger than is read."""
    if size > max_bytes:
        raise OSError(f"{shown_as}: is larger than {max_bytes // 2**20} MiB; split it")


def check_named(path: Path) -> None:
    """Raise FileNotFoundError, with the nearest names, where nothing is at a path."""
    if not path.exists() and not path.is_symlink():
        siblings = [each.name for each in path.parent.glob("*")]
        hint = nearest_hint([str(path.with_name(name)) for name in nearest(path.name, siblings)])
        raise FileNotFoundError(f"{path}: there is no such file or folder{hint}")


def files_of(folder: Path) -> list[Path]:
    """Return what may be manifests in a folder, by name, without what begins with a dot.

    A link that leads nowhere is among them. Raises FileNotFoundError where there is none.
    """
    files = sorted(_walk(folder), key=lambda each: each.parts)
    if not files:
        raise _nothing_in(folder)
    return files


def _walk(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(SUFFIXES) and not name.startswith("."):
                yield Path(above, name)


def _nothing_in(folder: Path) -> FileNotFoundError:
    return FileNotFoundError(f"{folder}: a folder without manifests; allowed: one with {_ALLOWED}")


def is_foreign(shown_as: str, content: bytes) -> bool:
    """Whether a file of a folder is JSON for something else; half a manifest is not foreign."""
    if not shown_as.endswith(".json"):
        return False
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return b"apiVersion" not in content
    return not (isinstance(found, dict) and {"apiVersion", "kind"} <= found.keys())
