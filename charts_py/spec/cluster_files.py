"""The cluster files of a folder."""

from dataclasses import dataclass
from pathlib import Path

from charts_py.spec.fault import Fault, Mark, Problem, SpecError

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

    Raises FileNotFoundError where there are none, and SpecError for each file that ends in `.yml`,
    which would otherwise be skipped silently.
    """
    skipped = sorted(directory.glob("*.yml"))
    if skipped:
        raise SpecError(
            Fault(Mark(str(file), 1), Problem((), "the file's name ends in .yml", ".yaml"))
            for file in skipped
        )
    files = sorted(file for file in directory.glob("*.yaml") if file.is_file())
    clusters = tuple(file for file in files if file.name != FLEET_FILE)
    if not clusters:
        raise FileNotFoundError(f"{directory}: no cluster file (*.yaml other than {FLEET_FILE})")
    fleet = directory / FLEET_FILE
    return ClusterFiles(fleet if fleet in files else None, clusters)
