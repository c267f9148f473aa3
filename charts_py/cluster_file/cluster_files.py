"""The cluster files of a folder."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.checkout_folder import checkout_folder
from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.cluster_file.folder_entry import is_read, link_problem, problem_of, unreadable

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
    would otherwise be skipped silently (`charts_py/cluster_file/folder_entry.py`).
    """
    faults = [*_folder_faults(directory)] or [*_entry_faults(directory)]
    if faults:
        raise SpecError(faults)
    files = tuple(path for path in sorted(directory.iterdir()) if is_read(path))
    fleet = directory / FLEET_FILE
    clusters = tuple(file for file in files if file != fleet)
    return ClusterFiles(fleet if fleet in files else None, clusters)


def _folder_faults(directory: Path) -> Iterator[Fault]:
    if problem := link_problem(directory, _repository(directory)):
        yield _fault(directory, problem)
    elif not directory.is_dir():
        what = "is a file" if directory.exists() else "no such folder"
        raise FileNotFoundError(f"{directory}: {what}; allowed: a folder of cluster files")
    elif problem := unreadable(directory):
        yield _fault(directory, problem)


def _entry_faults(directory: Path) -> Iterator[Fault]:
    repository = _repository(directory)
    entries = sorted(directory.iterdir())
    for path in entries:
        if problem := problem_of(path, repository):
            yield _fault(path, problem)
    yield from _faults_of_one_file([path for path in entries if is_read(path) and path.is_file()])


def _faults_of_one_file(files: Sequence[Path]) -> Iterator[Fault]:
    """Yield a fault for each link to a file that is read under another name as well."""
    for link in (file for file in files if file.is_symlink()):
        if others := [*_other_names(link, files)]:
            what = f"is a link to the same file as {', '.join(others)}"
            allowed = f"a file for each cluster; what they share stands in {FLEET_FILE}"
            yield _fault(link, Problem((), what, allowed))


def _other_names(link: Path, files: Iterable[Path]) -> Iterator[str]:
    return (file.name for file in files if file != link and file.samefile(link))


def _fault(path: Path, problem: Problem) -> Fault:
    return Fault(Mark(str(path), 1), problem)


def _repository(directory: Path) -> Path:
    """Return the folder of the nearest `.git`; outside of git, that which the folder lies in."""
    return checkout_folder(directory.parent) or directory.parent.resolve()
