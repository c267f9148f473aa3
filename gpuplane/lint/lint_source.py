"""The sources that the linter reads: files, folders, stdin, and rendered charts."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpuplane.admission.manifest_sources import (
    STDIN,
    NamedFile,
    named_files,
    other_use,
    stdin_content,
)
from gpuplane.file_content import file_content

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_JOINING = (
    *(b"HorizontalPodAutoscaler", b"ScaledObject", b"PodDisruptionBudget"),
    *(b"ResourceClaimTemplate", b"InferencePool"),
)
_NAMING = (b"ScaledObject", b"InferencePool", b"HTTPRoute")
_NAMED_PORT = re.compile(rb"targetPort\"?:\s*[\"']?[a-z]")


@dataclass(frozen=True, slots=True)
class LintSource:
    shown_as: str
    content: bytes
    is_named: bool = True
    """Whether the user named it: a file of a folder may be meant for something else."""
    unread: str = ""
    """Why it could not be read; empty where it could."""
    unread_line: int = 1
    is_patch: bool = False
    """Whether a kustomization names it as a patch, which states only what it changes."""
    is_file: bool = True
    """Whether a kustomization can name it."""
    unbuilt: str = ""
    """Why kustomize does not build the kustomization that it is; empty where it is none."""
    is_late: bool = False
    """Whether that is for want of time."""
    templates: Callable[[], Mapping[int, tuple[str, int | None]]] = field(
        default=dict, compare=False
    )
    """Returns by line the file of the template of which a chart has it, and the line there."""
    is_placed_later: bool = False
    """Whether its objects may get a namespace when they are applied: those of charts and overlays,
    and of files beside a kustomization."""
    leads_out: bool = False
    """Whether a link or a kustomization led out of the folder that was named."""
    namespace: str | None = None
    """Where an overlay puts its objects; None where they say so themselves."""


def lint_sources(
    named: Iterable[str], read_stdin: Callable[[int], bytes]
) -> tuple[LintSource, ...]:
    """Read files and folders with all in them, each file once; and stdin for `-`.

    In a folder, what begins with a dot is left out. Raises FileNotFoundError for what is not there,
    and OSError for a stdin that is too large.
    """
    files = named_files(named, has_stdin=True)
    return tuple(_read_stdin(read_stdin) if file.is_stdin else _read(file) for file in files)


def named_roots(named: Iterable[str]) -> list[Path]:
    """Return the folders that are named, and those of files, without links."""
    paths = [Path(name) for name in named if name != STDIN]
    return [(path if path.is_dir() else path.parent).resolve() for path in paths]


def has_kustomizations(sources: Iterable[LintSource]) -> bool:
    folders = {os.path.dirname(each.shown_as) for each in sources}  # noqa: PTH120 # quick
    return any(_is_beside_kustomization(os.path.join(at, "")) for at in folders)  # noqa: PTH118 # as above


def _is_beside_kustomization(file: str) -> bool:
    at = os.path.dirname(file)  # noqa: PTH120 # quick
    return any(os.path.exists(os.path.join(at, name)) for name in KUSTOMIZATIONS)  # noqa: PTH110, PTH118 # as above


def may_join(source: LintSource) -> bool:
    """Whether a file may hold what says something of workloads in others."""
    return any(kind in source.content for kind in _JOINING)


def asks_for_folder(source: LintSource) -> bool:
    """Whether what a file says may be wrong by what the other files of its folder have."""
    names = any(kind in source.content for kind in _NAMING)
    return names or _NAMED_PORT.search(source.content) is not None


def _read_stdin(read_stdin: Callable[[int], bytes]) -> LintSource:
    return LintSource(STDIN, stdin_content(read_stdin), is_file=False)


def _read(file: NamedFile) -> LintSource:
    shown_as, is_named = str(file.path), not file.folder
    try:
        content = file_content(file.path)
    except OSError as error:
        unread = f"The file cannot be read: {error.strerror or error}"
        return LintSource(shown_as, b"", is_named, unread, leads_out=file.leads_out)
    if not is_named and file.path.name not in KUSTOMIZATIONS and other_use(shown_as, content):
        content = b""
    later = not is_named and _is_beside_kustomization(shown_as)
    return LintSource(shown_as, content, is_named, is_placed_later=later, leads_out=file.leads_out)
