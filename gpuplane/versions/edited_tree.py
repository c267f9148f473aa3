"""The work tree as it will be, once the cluster files that were edited are rendered."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, list_cluster_files
from charts_py.load import load_platforms
from gpuplane.versions.edited_clusters import edited_clusters
from gpuplane.versions.record import RECORD_FILE
from gpuplane.versions.rendering import Sources, render_cluster
from gpuplane.versions.snapshot import WorkTree
from gpuplane.versions.tree import Tree


@dataclass(frozen=True)
class EditedTree(WorkTree):
    """The work tree, and what it lacks."""

    versions: Mapping[Path, Tree]
    """Files of versions that nobody has written, by their folder."""
    beside: Mapping[Path, bytes | None]
    """Files beside these folders; None removes one."""

    @property
    def edited(self) -> tuple[str, ...]:
        return tuple(sorted(folder.parent.name for folder in self.versions))

    def read(self, file: Path) -> bytes | None:
        if file in self.beside:
            return self.beside[file]
        for folder, tree in self.versions.items():
            if file.is_relative_to(folder):
                return tree.get(file.relative_to(folder).as_posix())
        return super().read(file)

    def tree(self, folder: Path) -> Tree:
        return self.versions[folder] if folder in self.versions else super().tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        rendered = (each.name for each in self.versions if each.parent == folder)
        clusters = (each.parent.name for each in self.versions if each.parent.parent == folder)
        return tuple(sorted({*super().folders(folder), *rendered, *clusters}))


def edited_tree(
    clusters: Path, dist: Path, names: Collection[str] = (), mirror: Path | None = None
) -> EditedTree:
    """Render the cluster files that were edited since they were rendered, and write nothing.

    Without names, all of them. Raises SpecError, RenderError or DistError for a cluster file,
    UpstreamError where it has charts rendered and they are missing.
    """
    files = list_cluster_files(clusters)
    chosen = tuple(file for file in files.clusters if not names or file.stem in names)
    platforms = load_platforms(ClusterFiles(files.fleet, chosen))
    versions: dict[Path, Tree] = {}
    beside: dict[Path, bytes | None] = {}
    edited = frozenset(edited_clusters(platforms, dist))
    for file, platform in zip(chosen, platforms, strict=True):
        if platform.name not in edited:
            continue
        found = render_cluster(file, Sources(files.fleet, dist, mirror))
        folder = dist / platform.name
        record = {RECORD_FILE: found.record.to_json()}
        versions[folder / platform.cluster.version] = {**found.files, **record}
        beside |= {folder / name: content for name, content in found.pinned.items()}
    return EditedTree(versions, beside)
