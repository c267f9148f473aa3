"""What may stand in the folder of cluster files; all else is a fault, and nothing is skipped."""

import os
import re
from pathlib import Path

from charts_py.cluster_file.fault import Problem

SUFFIX = ".yaml"
"""How the names of files end that are read."""

_OF_EDITORS = re.compile(r"\..*|.*~|#.*#")
"""What editors, file managers and git keep beside files: `.x.yaml.swp`, `.DS_Store`, `.gitkeep`,
`x.yaml~`, `#x.yaml#`."""

_FOR_OTHERS = (".md", ".py")
"""Suffixes of what people read, and of constructs, which are imported by name."""

_MEANT = re.compile(r"(?P<stem>.+?)\.(ya?ml|json)(\.txt)?", re.IGNORECASE)
"""Names that were probably to be those of cluster files."""

ALLOWED = f"NAME{SUFFIX}, folders, *.md, *.py, and what editors leave: .*, *~, #*#"


def is_passed_over(name: str) -> bool:
    """Return whether a name is one of those that editors, file managers and git use."""
    return _OF_EDITORS.fullmatch(name) is not None


def is_read(path: Path) -> bool:
    """Return whether this is the file of a cluster, or of what clusters share, by its name."""
    return path.suffix == SUFFIX and not is_passed_over(path.name)


def problem_of(path: Path, repository: Path) -> Problem | None:
    """Return why an entry of the folder cannot be read and is not for others; None where it is.

    `repository` is the folder, with all links resolved, that no link may lead out of.
    """
    if is_passed_over(path.name):
        return None
    if problem := link_problem(path, repository):
        return problem
    if path.is_dir():
        return _problem_of_folder(path)
    if not path.is_file():
        return Problem((), "is neither a file nor a folder", ALLOWED)
    if path.suffix in _FOR_OTHERS:
        return None
    if not is_read(path):
        what = f"is not read, since its name does not end in {SUFFIX}"
        return Problem((), what, ALLOWED, _nearest(path))
    return unreadable(path)


def unreadable(path: Path) -> Problem | None:
    """Return that a file or folder cannot be read; None where it can."""
    if os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        return None
    return Problem((), "cannot be read: permission denied", "what you may read")


def link_problem(path: Path, repository: Path) -> Problem | None:
    """Return what is wrong with a path that may be a link; None where nothing is."""
    astray = _astray(path, repository) if path.is_symlink() else None
    if astray is None:
        return None
    what = f"is a link to {path.readlink()}, {astray}"
    return Problem((), what, "a link to what is in the repository")


def _astray(link: Path, repository: Path) -> str | None:
    """Return where a link leads that leads to nothing in the repository."""
    try:
        target = link.resolve(strict=True)
    except FileNotFoundError:
        return "where nothing is"
    except (OSError, RuntimeError):  # Python 3.13 has made one of the other
        return "which leads back to itself"
    if not target.is_relative_to(repository):
        return "which is outside of the repository"
    return None


def _problem_of_folder(path: Path) -> Problem | None:
    meant = _MEANT.fullmatch(path.name)
    if meant is None:
        return None
    what = "is a folder, but has the name of a cluster file"
    return Problem((), what, f"a file, or a folder of another name such as {meant['stem']}")


def _nearest(path: Path) -> tuple[str, ...]:
    meant = _MEANT.fullmatch(path.name)
    if meant is None:
        return ()
    name = f"{meant['stem']}{SUFFIX}"
    return () if path.with_name(name).exists() else (name,)
