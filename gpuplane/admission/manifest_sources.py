"""The manifests that arguments name: files, folders and stdin."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gpuplane.admission.file_content import file_content
from gpus.nearest import nearest, nearest_hint

STDIN = "-"
SUFFIXES = (".json", ".yaml", ".yml")
"""Of the files that a folder is read for, as kubectl does."""

_ALLOWED = ", ".join(f"*{suffix}" for suffix in SUFFIXES)


@dataclass(frozen=True, slots=True)
class ManifestSource:
    """What a file holds."""

    shown_as: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ManifestSources:
    """What was found by the names that were given."""

    read: tuple[ManifestSource, ...]
    foreign: tuple[str, ...] = ()
    """JSON in folders that holds no object, such as `package.json` or a dashboard, by its path."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of those that are foreign, a line each."""
        what = "is passed over, since JSON in a folder without apiVersion and kind is no manifest"
        return tuple(f"{path}: {what}" for path in self.foreign)


def read_sources(
    named: Iterable[str], read_stdin: Callable[[], bytes] | None = None
) -> ManifestSources:
    """Read files and folders with all in them, each file once; and stdin for `-`.

    In a folder, what begins with a dot is left out, and foreign JSON is. Raises FileNotFoundError
    for a file that is not there and for a folder without a manifest, and OSError for what cannot be
    read. Without `read_stdin`, `-` is a file.
    """
    sources: dict[str, ManifestSource] = {}
    foreign: list[str] = []
    for name in named:
        if name == STDIN and read_stdin is not None:
            sources.setdefault(STDIN, ManifestSource(STDIN, read_stdin()))
            continue
        found = _of_folder(Path(name)) if Path(name).is_dir() else [_of_file(Path(name))]
        for each in found:
            if isinstance(each, ManifestSource):
                sources.setdefault(os.path.realpath(each.shown_as), each)
            else:
                foreign.append(each)
    return ManifestSources(tuple(sources.values()), tuple(dict.fromkeys(foreign)))


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


def _of_file(path: Path) -> ManifestSource:
    check_named(path)
    return _read(path)


def _of_folder(folder: Path) -> list[ManifestSource | str]:
    """Return what is read, and the paths of what is foreign."""
    sources = map(_read, files_of(folder))
    found = [source.shown_as if is_foreign(source) else source for source in sources]
    if not any(isinstance(each, ManifestSource) for each in found):
        raise _nothing_in(folder)
    return found


def _read(file: Path) -> ManifestSource:
    return ManifestSource(str(file), file_content(file))


def is_foreign(source: ManifestSource) -> bool:
    """Whether a file of a folder is JSON for something else; half a manifest is none of these."""
    if not source.shown_as.endswith(".json"):
        return False
    try:
        content = json.loads(source.content)
    except (ValueError, RecursionError):
        return b"apiVersion" not in source.content
    return not (isinstance(content, dict) and {"apiVersion", "kind"} <= content.keys())
