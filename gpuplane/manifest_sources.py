"""The manifests that arguments name: files, folders and stdin."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from charts_py.admission.file_content import file_content
from gpuplane.standard_streams import read_stdin
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


def read_sources(named: Iterable[str]) -> list[ManifestSource]:
    """Read files, folders with all in them, and `-`, which is stdin; each file once.

    In a folder, what begins with a dot is left out. Raises FileNotFoundError for a file that is
    not there and for a folder without a manifest, and OSError for what cannot be read.
    """
    paths: dict[str, str] = {}
    for name in named:
        for shown_as in [name] if name == STDIN else _files(Path(name)):
            paths.setdefault(_identity(shown_as), shown_as)
    return [ManifestSource(each, _content(each)) for each in paths.values()]


def _files(path: Path) -> list[str]:
    if path.is_dir():
        return _in_folder(path)
    if path.exists() or path.is_symlink():
        return [str(path)]
    siblings = [each.name for each in path.parent.glob("*")]
    hint = nearest_hint(nearest(path.name, siblings))
    raise FileNotFoundError(f"{path}: there is no such file or folder{hint}")


def _in_folder(folder: Path) -> list[str]:
    found = sorted(path for path in folder.rglob("*") if _is_manifest(path, folder))
    if not found:
        raise FileNotFoundError(
            f"{folder}: a folder without manifests; allowed: one with {_ALLOWED}"
        )
    return [str(path) for path in found]


def _is_manifest(path: Path, folder: Path) -> bool:
    """Return whether a path is to be read; a link that leads nowhere is, and fails."""
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.suffix in SUFFIXES and not hidden and not path.is_dir()


def _identity(shown_as: str) -> str:
    return shown_as if shown_as == STDIN else os.path.realpath(shown_as)


def _content(shown_as: str) -> bytes:
    return read_stdin() if shown_as == STDIN else file_content(Path(shown_as))
