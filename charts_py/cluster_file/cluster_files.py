"""The cluster files of a folder, and every entry of it that is none."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError

GIT = ".git"
"""A folder, or the file of a worktree or a submodule."""
SUFFIX = ".yaml"
"""How the names of files end that are read."""
_OF_EDITORS = re.compile(r"\..*|.*~|#.*#")
"""What editors, file managers and git keep beside files: `.x.yaml.swp`, `.DS_Store`, `.gitkeep`,
`x.yaml~`, `#x.yaml#`."""
_FOR_OTHERS = (".md", ".py")
"""Suffixes of files that people read, and of constructs, which are imported by name."""
_MEANT = re.compile(r"(?P<stem>.+?)\.(ya?ml|json)(\.txt)?", re.IGNORECASE)
"""Names that were probably to be those of cluster files."""
ALLOWED = f"NAME{SUFFIX}, folders, *.md, *.py, and what editors leave: .*, *~, #*#"
FLEET_FILE = "fleet.yaml"
"""What clusters share: fields of a cluster file that each may override."""
FLEET_FOLDER = "fleet"
"""Folder of `dist` that an Argo CD that serves several clusters applies."""


@dataclass(frozen=True, slots=True)
class ClusterFiles:
    """The cluster files of a folder."""

    fleet: Path | None
    clusters: tuple[Path, ...]


def find_cluster_files(directory: Path) -> ClusterFiles:
    """Return the cluster files of a folder, sorted.

    Raises FileNotFoundError where there are none, and what `list_cluster_files` raises.
    """
    files = list_cluster_files(directory)
    if not files.clusters:
        raise FileNotFoundError(f"{directory}: no cluster file (*.yaml other than {FLEET_FILE})")
    return files


def list_cluster_files(directory: Path) -> ClusterFiles:
    """Return the cluster files of a folder, sorted; there may be none.

    Raises FileNotFoundError where there is no such folder, and SpecError for each entry of it that
    would otherwise be skipped silently.
    """
    faults = [*_folder_faults(directory)] or [*_entry_faults(directory)]
    if faults:
        raise SpecError(faults)
    files = tuple(path for path in sorted(directory.iterdir()) if is_read(path))
    fleet = directory / FLEET_FILE
    clusters = tuple(file for file in files if file != fleet)
    return ClusterFiles(fleet if fleet in files else None, clusters)


def _folder_faults(directory: Path) -> Iterator[Fault]:
    if problem := link_problem(directory, repository_folder(directory)):
        yield _fault(directory, problem)
    elif not directory.is_dir():
        what = "is a file" if directory.exists() else "no such folder"
        raise FileNotFoundError(f"{directory}: {what}; allowed: a folder of cluster files")
    elif problem := unreadable(directory):
        yield _fault(directory, problem)


def _entry_faults(directory: Path) -> Iterator[Fault]:
    repository = repository_folder(directory)
    entries = sorted(directory.iterdir())
    for path in entries:
        if problem := problem_of(path, repository):
            yield _fault(path, problem)
    yield from _faults_of_one_file([path for path in entries if is_read(path) and path.is_file()])


def _faults_of_one_file(files: Sequence[Path]) -> Iterator[Fault]:
    """Yield a fault for each link to a file that is read under another name as well."""
    for link in (file for file in files if file.is_symlink()):
        if others := [file.name for file in files if file != link and file.samefile(link)]:
            what = f"is a link to the same file as {', '.join(others)}"
            allowed = f"a file for each cluster; what they share stands in {FLEET_FILE}"
            yield _fault(link, Problem((), what, allowed))


def _fault(path: Path, problem: Problem) -> Fault:
    return Fault(Mark(str(path), 1), problem)


def repository_folder(directory: Path) -> Path:
    """Return the folder of the nearest `.git`; outside of git, that which the folder lies in."""
    return checkout_folder(directory.parent) or directory.parent.resolve()


def checkout_folder(folder: Path) -> Path | None:
    """Return the nearest folder with a `.git`, upwards and with all links resolved."""
    real = folder.resolve()
    # A link that leads nowhere is a checkout whose repository is out of reach.
    return next((each for each in (real, *real.parents) if os.path.lexists(each / GIT)), None)


def path_in_checkout(folder: Path) -> str | None:
    """Return the path of a folder from the root of its checkout, `.` for that; None outside."""
    checkout = checkout_folder(folder)
    return None if checkout is None else folder.resolve().relative_to(checkout).as_posix()


def is_passed_over(name: str) -> bool:
    """Return whether a name is one of those that editors, file managers and git use."""
    return _OF_EDITORS.fullmatch(name) is not None


def is_read(path: Path) -> bool:
    return path.suffix == SUFFIX and not is_passed_over(path.name)


def problem_of(path: Path, repository: Path) -> Problem | None:
    """Return why an entry of the folder cannot be read and is not for others; None where it is.

    `repository` is the folder, with all links resolved, that no link may lead out of.
    """
    if is_passed_over(path.name):
        return None
    if problem := link_problem(path, repository):
        return problem
    meant = _MEANT.fullmatch(path.name)
    if path.is_dir():
        if meant is None:
            return None
        what = "is a folder, but has the name of a cluster file"
        return Problem((), what, f"a file, or a folder of another name such as {meant['stem']}")
    if not path.is_file():
        return Problem((), "is neither a file nor a folder", ALLOWED)
    if path.suffix in _FOR_OTHERS:
        return None
    if not is_read(path):
        what = f"is not read, since its name does not end in {SUFFIX}"
        near = path.with_name(f"{meant['stem']}{SUFFIX}") if meant else path
        return Problem((), what, ALLOWED, () if near.exists() else (near.name,))
    return unreadable(path)


def unreadable(path: Path) -> Problem | None:
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
    if GIT in target.relative_to(repository).parts:
        return "which is git's own"
    return None
