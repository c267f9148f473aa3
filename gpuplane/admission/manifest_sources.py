"""The manifests that arguments name: files, folders and stdin."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from charts_py.cluster_file.yaml_stop import UTF_16
from gpuplane.file_content import MAX_FILE_BYTES, check_size, file_content
from gpus.nearest import nearest, nearest_hint

STDIN = "-"
SUFFIXES = (".json", ".yaml", ".yml")
"""kubectl reads these files of a folder."""
_ALLOWED = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
MAX_EXPORT_BYTES = 4 * MAX_FILE_BYTES
"""Size of a file that a cluster's objects were exported to: 7,000 pods, or 1,000 nodes, have as
much."""
_CLOUD_FORMATION = re.compile(rb"^AWSTemplateFormatVersion:", re.MULTILINE)
"""A field of templates that have tags of their own."""


@dataclass(frozen=True, slots=True)
class ManifestSource:
    shown_as: str
    content: bytes
    is_named: bool = True
    """Whether the user named it: a file of a folder may be meant for something else."""


class NamedFile(NamedTuple):
    """A file that is named, or one in a folder that is."""

    path: Path
    folder: str
    """That folder; empty for a file that is named itself, and for stdin."""
    leads_out: bool
    """Whether it is a link out of the folder."""
    is_stdin: bool


def read_sources(
    named: Iterable[str],
    read_stdin: Callable[[int], bytes] | None = None,
    *,
    max_bytes: int = MAX_FILE_BYTES,
) -> tuple[list[ManifestSource], list[str]]:
    """Read named files; raise OSError for what cannot be read, and what is above `max_bytes`.

    JSON in a folder that is no manifest is left out, with a line for each. Raises FileNotFoundError
    for a folder without a manifest, too. Without `read_stdin`, `-` is a file.
    """
    read, notes, folders = list[ManifestSource](), list[str](), dict[str, bool]()
    for file in named_files(named, has_stdin=read_stdin is not None):
        shown_as, path = str(file.path), file.path
        if file.is_stdin and read_stdin is not None:
            content = stdin_content(read_stdin, max_bytes)
        else:
            content = file_content(path, max_bytes)
        is_json = bool(file.folder) and path.suffix == ".json"
        if why := other_use(shown_as, content) if is_json else "":
            notes.append(f"{shown_as}: is passed over, since {why}")
        else:
            read.append(ManifestSource(shown_as, content, is_named=not file.folder))
        folders[file.folder] = folders.get(file.folder, False) or not why
    if empty := [folder for folder, has_manifest in folders.items() if not has_manifest]:
        raise _nothing_in(Path(empty[0]))
    return read, notes


def named_files(named: Iterable[str], *, has_stdin: bool) -> Iterator[NamedFile]:
    """Yield files, and those of folders, each once, and stdin for `-` where that is read.

    Raises FileNotFoundError for what is not there, and for a folder without a file.
    """
    real_folder, seen = cache(_real_folder), set[str]()
    for name in named:
        path, is_stdin = Path(name), has_stdin and name == STDIN
        if not is_stdin:
            check_named(path)
        folder = name if not is_stdin and path.is_dir() else ""
        for file in files_of(path) if folder else (path,):
            real = STDIN if is_stdin else _real_path(file, real_folder)
            if real not in seen:
                seen.add(real)
                leads_out = bool(folder) and not real.startswith(real_folder(folder))
                yield NamedFile(file, folder, leads_out, is_stdin)


def _real_folder(folder: str) -> str:
    """Return a folder without links, and with a separator at its end."""
    return f"{os.path.realpath(folder).rstrip(os.sep)}{os.sep}"


def _real_path(path: Path, real_folder: Callable[[str], str]) -> str:
    """Return a path without links; most files of a folder are none, so that they share its path."""
    if path.is_symlink():
        return os.path.realpath(path)
    folder, name = os.path.split(path)
    return f"{real_folder(folder)}{name}"


def stdin_content(read_stdin: Callable[[int], bytes], max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read stdin; raise OSError where it is larger than `max_bytes`."""
    content = read_stdin(max_bytes + 1)
    check_size(STDIN, len(content), max_bytes)
    return content


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


def other_use(shown_as: str, content: bytes) -> str:
    """Return what else a file of a folder is for; empty for one that may hold manifests.

    Half a manifest is one, and what is UTF-16 is told.
    """
    is_likely = sum(each in content for each in (b"apiVersion", b"kind", b"metadata")) > 1
    is_other = not (is_likely or content.startswith(UTF_16))
    if shown_as.endswith(".json") and (is_other or _is_other_json(content)):
        return "JSON in a folder without apiVersion and kind is no manifest"
    if is_other:
        return "it holds no object"
    is_template = _CLOUD_FORMATION.search(content)
    return "it is a template of CloudFormation" if is_template else ""


def _is_other_json(content: bytes) -> bool:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return not (isinstance(found, dict) and {"apiVersion", "kind"} <= found.keys())
