"""The cluster files of a commit, in a folder of their own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from charts_py.cluster_file.cluster_files import ClusterFiles, list_cluster_files
from charts_py.cluster_file.fault import FieldPath, Mark, SpecError
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
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
            found = load_platforms(files)
        return tuple(replace(each, marks=self._marks(each)) for each in found)

    def _marks(self, platform: Platform) -> Mapping[FieldPath, Mark]:
        return {path: self._shown(mark) for path, mark in platform.marks.items()}

    @contextmanager
    def _named_as_in_git(self) -> Iterator[None]:
        try:
            yield
        except SpecError as error:
            faults = (replace(each, mark=self._shown(each.mark)) for each in error.faults)
            raise SpecError(faults) from error

    def _shown(self, mark: Mark) -> Mark:
        """Return a place in a file that is named as git names it."""
        return mark._replace(file=mark.file.replace(str(self.folder), self.shown_as))


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
