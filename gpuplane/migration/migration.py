"""Migrates the cluster files of a repository."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE, ClusterFiles, list_cluster_files
from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.cluster_file.source import Source
from charts_py.load import platform_of, platforms_of
from gpuplane.migration.migrated_file import MigratedFile, migrate_file
from gpuplane.versions.check import selected_clusters
from gpuplane.written_files import diff_files, write_files


@dataclass(frozen=True)
class Migration:
    """The cluster files to migrate, and fleet.yaml, which is laid under each of them.

    There may be no cluster, such as once the last one is removed. Reading the files raises
    FileNotFoundError without their folder, RenderError for an unknown name, and SpecError for files
    that cannot be read.
    """

    clusters: Path
    names: tuple[str, ...] = ()

    @cached_property
    def files(self) -> tuple[MigratedFile, ...]:
        found = self._found
        fleet = () if found.fleet is None else (migrate_file(found.fleet),)
        shared = fleet[0].source if fleet else Source({}, {})
        moved = (*fleet, *_migrated(found.clusters, shared))
        refused = _refused(moved, shared)
        return tuple(
            one.left_alone(refused[one.file]) if one.file in refused else one for one in moved
        )

    @property
    def undecided(self) -> tuple[Fault, ...]:
        """Faults that a person has to decide first, at their lines in the files before."""
        return tuple(fault for one in self.files for fault in one.undecided)

    @property
    def changed(self) -> tuple[MigratedFile, ...]:
        return tuple(one for one in self.files if one.is_changed)

    def diff(self) -> Iterator[str]:
        before = {one.file: one.before for one in self.changed}
        return diff_files(self.clusters, before, self._after)

    def write(self) -> None:
        """Write all files or none; raise OSError."""
        write_files(self.clusters, self._after)

    @property
    def _after(self) -> dict[Path, bytes]:
        return {one.file: one.after for one in self.changed}

    def remaining(self) -> tuple[Fault, ...]:
        """Return the other faults of the files, at their lines in the files afterwards."""
        fleet = (one.source for one in self.files if one.file == self._found.fleet)
        clusters = ((one.file, one.source) for one in self.files if one.file != self._found.fleet)
        try:
            platforms_of(clusters, next(fleet, Source({}, {})), self._found.fleet)
        except SpecError as error:
            left = (one for one in self.files if one.undecided)
            known = {(str(one.file), move.path) for one in left for move in one.moves}
            return tuple(
                fault
                for fault in error.faults
                if (fault.mark.file, fault.problem.path) not in known
            )
        return ()

    def remaining_unwritten(self) -> tuple[Fault, ...]:
        """Return the other faults of the files, at their lines in the files before."""
        files = {str(one.file): one for one in self.changed}
        return tuple(
            files[fault.mark.file].as_before(fault) if fault.mark.file in files else fault
            for fault in self.remaining()
        )

    @cached_property
    def _found(self) -> ClusterFiles:
        files = list_cluster_files(self.clusters)
        return ClusterFiles(files.fleet, selected_clusters(files, self.names))


def _migrated(files: Sequence[Path], fleet: Source) -> Iterator[MigratedFile]:
    """Yield the files; raise SpecError with the faults of all that cannot be read."""
    faults: list[Fault] = []
    for file in files:
        try:
            yield migrate_file(file, fleet)
        except SpecError as error:
            faults += error.faults
    if faults:
        raise SpecError(faults)


def _refused(files: Sequence[MigratedFile], fleet: Source) -> dict[Path, list[Fault]]:
    """Return the faults of values at their new places, by file and at the old places."""
    moves = {(str(one.file), move.to): (one, move) for one in files for move in one.moves}
    refused: dict[Path, list[Fault]] = {}
    for fault in {fault: None for one in files for fault in _faults(one, fleet)}:
        if found := moves.get((fault.mark.file, fault.problem.path)):
            file, move = found
            what = f"{move.what}; {fault.problem.what}"
            refused.setdefault(file.file, []).append(file.fault(move, what, fault.problem.allowed))
    return refused


def _faults(file: MigratedFile, fleet: Source) -> tuple[Fault, ...]:
    if file.file.name == FLEET_FILE:
        return ()
    try:
        platform_of(file.file, file.source, fleet)
    except SpecError as error:
        return error.faults
    return ()
