"""What clusters cost beside what they did at a git reference."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from charts_py.cluster_file.cluster_files import (
    ClusterFiles,
    find_cluster_files,
    list_cluster_files,
)
from charts_py.cluster_file.fault import Fault, RenderError, SpecError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.reports.cost.cost_statement import CostComparison, compare, cost_statement
from gpuplane.versions.base import Base
from gpuplane.versions.git import Commit


@dataclass(frozen=True, slots=True)
class EarlierClusters:
    """The cluster files of a commit, in a folder of their own."""

    folder: Path
    shown_as: str
    """The folder as git names it, such as `origin/main:clusters`."""

    def files(self) -> ClusterFiles:
        with self._named_as_in_git():
            return list_cluster_files(self.folder)

    def load(self, files: ClusterFiles) -> tuple[Platform, ...]:
        with self._named_as_in_git():
            return load_platforms(files)

    @contextmanager
    def _named_as_in_git(self) -> Iterator[None]:
        try:
            yield
        except SpecError as error:
            raise SpecError(map(self.shown, error.faults)) from error

    def shown(self, fault: Fault) -> Fault:
        """Return a fault that names its file as git does."""
        file = fault.mark.file.replace(str(self.folder), self.shown_as)
        return replace(fault, mark=fault.mark._replace(file=file))


def compare_cost(clusters: Path, names: Sequence[str], base: Base) -> CostComparison:
    """Return what clusters of a folder cost beside what they did at a base.

    Without names, all. This version reads both. Raises SpecError with every fault, RenderError for
    an unknown name, GitError where git cannot answer.
    """
    with earlier_clusters(base.commit, clusters) as earlier:
        old, new = earlier.files(), find_cluster_files(clusters)
        known = sorted({file.stem for side in (old, new) for file in side.clusters})
        for name in (name for name in names if name not in known):
            raise RenderError(unknown_name("cluster", name, known))
        statement = cost_statement(earlier.load(_chosen(old, names)))
        unpriced = (replace(gap, fault=earlier.shown(gap.fault)) for gap in statement.unpriced)
        before = replace(statement, unpriced=tuple(unpriced))
    return compare(before, cost_statement(load_platforms(_chosen(new, names))))


def _chosen(files: ClusterFiles, names: Sequence[str]) -> ClusterFiles:
    chosen = (file for file in files.clusters if not names or file.stem in names)
    return ClusterFiles(files.fleet, tuple(chosen))


@contextmanager
def earlier_clusters(commit: Commit, clusters: Path) -> Iterator[EarlierClusters]:
    """Yield the cluster files that a commit has in a folder, with the extensions below it."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, content in commit.tree(clusters).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        yield EarlierClusters(folder, f"{commit.reference}:{clusters.name}")
