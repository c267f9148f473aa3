"""The sources that the linter reads: files, folders, stdin, and rendered charts."""

import codecs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from gpuplane.admission.manifest_sources import (
    STDIN,
    check_named,
    file_content,
    files_of,
    stdin_content,
)

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""Names of the file of a kustomization."""
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_JOINING = (b"HorizontalPodAutoscaler", b"ScaledObject", b"PodDisruptionBudget")


@dataclass(frozen=True, slots=True)
class LintSource:
    """A file and its content."""

    shown_as: str
    content: bytes
    is_named: bool = True
    """Whether the user named it: a file of a folder may be meant for something else."""
    unread: str = ""
    """Why it could not be read; empty where it could."""
    is_patch: bool = False
    """Whether a kustomization names it as a patch, which states only what it changes."""
    is_file: bool = True
    """Whether a kustomization can name it."""
    unbuilt: str = ""
    """Why kustomize does not build the kustomization that it is; empty where it is none."""
    templates: Callable[[], Mapping[int, tuple[str, int | None]]] = field(
        default=dict, compare=False
    )
    """Returns by line the file of the template of which a chart has it, and the line there."""
    leads_out: bool = False
    """Whether a link or a kustomization led out of the folder that was named."""
    namespace: str | None = None
    """Where an overlay puts its objects; None where they say so themselves."""


def lint_sources(named: Iterable[str], read_stdin: Callable[[], bytes]) -> tuple[LintSource, ...]:
    """Read files and folders with all in them, each file once; and stdin for `-`.

    In a folder, what begins with a dot is left out. Raises FileNotFoundError for what is not there,
    and OSError for a stdin that is too large.
    """
    sources: dict[str, LintSource] = {}
    real_folder = cache(_real_folder)
    for name in named:
        if name == STDIN:
            content = stdin_content(read_stdin)
            sources.setdefault(STDIN, LintSource(STDIN, content, is_file=False))
            continue
        for path, is_named in _files(Path(name)):
            key = _real_path(path, real_folder)
            if key not in sources:
                leads_out = not is_named and not key.startswith(real_folder(name))
                sources[key] = _read(path, is_named=is_named, leads_out=leads_out)
    return tuple(sources.values())


def named_roots(named: Iterable[str]) -> list[Path]:
    """Return the folders that are named, and those of files, without links."""
    paths = [Path(name) for name in named if name != STDIN]
    return [(path if path.is_dir() else path.parent).resolve() for path in paths]


def is_for_others(content: bytes) -> bool:
    """Whether a file of a folder holds no manifest; what is UTF-16 is told."""
    is_manifest = b"apiVersion" in content and b"kind" in content
    return not is_manifest and not content.startswith(_UTF_16)


def has_kustomizations(sources: Iterable[LintSource]) -> bool:
    """Whether a folder of the files holds a kustomization."""
    folders = {os.path.dirname(each.shown_as) for each in sources}  # noqa: PTH120 # quick
    return any(os.path.exists(os.path.join(at, name)) for at in folders for name in KUSTOMIZATIONS)  # noqa: PTH110, PTH118 # as above


def may_join(source: LintSource) -> bool:
    """Whether a file may hold what says something of workloads in others."""
    return any(kind in source.content for kind in _JOINING)


def _real_folder(folder: str) -> str:
    """Return a folder without links, and with a separator at its end."""
    return f"{os.path.realpath(folder).rstrip(os.sep)}{os.sep}"


def _real_path(path: Path, real_folder: Callable[[str], str]) -> str:
    """Return a path without links; most files of a folder are none, so that they share its path."""
    if path.is_symlink():
        return os.path.realpath(path)
    folder, name = os.path.split(path)
    return f"{real_folder(folder)}{name}"


def _files(path: Path) -> Iterator[tuple[Path, bool]]:
    if path.is_dir():
        yield from ((file, False) for file in files_of(path))
    else:
        check_named(path)
        yield path, True


def _read(path: Path, *, is_named: bool, leads_out: bool) -> LintSource:
    shown_as = str(path)
    try:
        content = file_content(path)
    except OSError as error:
        unread = f"The file cannot be read: {error.strerror or error}"
        return LintSource(shown_as, b"", is_named, unread, leads_out=leads_out)
    if not is_named and path.name not in KUSTOMIZATIONS and is_for_others(content):
        content = b""
    return LintSource(shown_as, content, is_named, leads_out=leads_out)
