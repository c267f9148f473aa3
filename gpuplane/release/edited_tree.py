"""The work tree as it will be, once the cluster files that were edited are rendered or cut."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, list_cluster_files
from charts_py.cluster_file.fault import RenderError, SpecError
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.release.cluster_release import NothingToCutError, cut
from gpuplane.release.pruning import let_go
from gpuplane.versions.comparison import DiffRequest
from gpuplane.versions.edited_clusters import edited_clusters, edited_line, of_released_version
from gpuplane.versions.main_branch import MainBranch, RepositoryRequest
from gpuplane.versions.record import RECORD_FILE
from gpuplane.versions.rendering import RenderedCluster, Sources, render_cluster
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.tree import DistError, Tree
from upstream.lock import UpstreamError


@dataclass(frozen=True)
class EditedTree(WorkTree):
    """The work tree, and what it lacks."""

    versions: Mapping[Path, Tree]
    """Files of versions that nobody has written, by their folder; none of one that is let go."""
    beside: Mapping[Path, bytes | None]
    """Files beside these folders, and cluster files with their new version; None removes one."""
    cut: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Clusters whose released version has all objects already, so that nothing is written."""

    @property
    def edited(self) -> tuple[str, ...]:
        return tuple(sorted({folder.parent.name for folder in self.versions}))

    @property
    def rendered_here(self) -> tuple[str, ...]:
        return tuple(name for name in self.edited if name not in self.kept)

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
        changed = {each: tree for each, tree in self.versions.items() if each.parent == folder}
        there = {name for name in super().folders(folder) if folder / name not in changed}
        clusters = (each.parent.name for each in self.versions if each.parent.parent == folder)
        return tuple(sorted({*there, *clusters, *(each.name for each in changed if changed[each])}))


def edited_tree(
    clusters: Path, dist: Path, names: Collection[str] = (), mirror: Path | None = None
) -> EditedTree:
    """Render the cluster files that were edited since they were rendered, and write nothing.

    Of one whose version is released, the next version is cut, as `gpuplane release` does it.

    Without names, all of them. Raises SpecError, RenderError or DistError for a cluster file,
    UpstreamError where it has charts rendered and they are missing, GitError where git cannot
    answer.
    """
    files = list_cluster_files(clusters)
    chosen = tuple(file for file in files.clusters if not names or file.stem in names)
    platforms = load_platforms(ClusterFiles(files.fleet, chosen))
    edited = frozenset(edited_clusters(platforms, dist))
    of_edited = [platform for platform in platforms if platform.name in edited]
    main_branch = MainBranch(dist)
    released = frozenset(of_released_version(of_edited, main_branch))
    request = RepositoryRequest(clusters, dist, mirror=mirror)
    trees = [
        _cut(file, files.fleet, request, main_branch)
        if file.stem in released
        else _tree(render_cluster(file, Sources(files.fleet, dist, mirror)), dist)
        for file in chosen
        if file.stem in edited
    ]
    return EditedTree(
        versions={folder: tree for each in trees for folder, tree in each.versions.items()},
        beside={file: content for each in trees for file, content in each.beside.items()},
        cut=tuple(name for each in trees for name in each.cut),
        kept=tuple(name for each in trees for name in each.kept),
    )


def older_lines(platforms: Sequence[Platform], request: RepositoryRequest) -> Iterator[str]:
    """Yield where `dist` is older than these clusters' files, with the commands that mend it."""
    edited = {*edited_clusters(platforms, request.dist)}
    of_edited = [platform for platform in platforms if platform.name in edited]
    released = tuple(of_released_version(of_edited, MainBranch(request.dist)))
    if names := sorted(edited.difference(released)):
        yield edited_line(names, "run", "synth")
    if names := sorted(_to_cut(released, request)):
        yield edited_line(names, "run", "release")


def _to_cut(released: Collection[str], request: RepositoryRequest) -> Collection[str]:
    """Return those of these clusters whose released version lacks what their file asks for."""
    if not released:
        return ()
    try:
        return edited_tree(request.clusters, request.dist, released, request.mirror).cut
    except (DistError, RenderError, SpecError, UpstreamError):
        # The command that is named says what is wrong.
        return released


def tree_to_compare(request: DiffRequest, mirror: Path | None = None) -> WorkTree:
    """Return the work tree with what versions to compare lack there, as `edited_tree` has it.

    Two versions that are named stay as they stand there, unless one is that of the cluster file.
    """
    own = ClusterSnapshot(WorkTree(), request.clusters, request.dist, request.cluster).declared
    if None in (request.old, request.new) or own.version in (request.old, request.new):
        return edited_tree(request.clusters, request.dist, (request.cluster,), mirror)
    return WorkTree()


def _cut(
    file: Path, fleet: Path | None, request: RepositoryRequest, main_branch: MainBranch
) -> EditedTree:
    dist, gone = request.dist, tuple(let_go(file, request, main_branch))
    try:
        found = cut(file, Sources(fleet, dist, request.mirror, gone), main_branch, None)
    except NothingToCutError:
        rendered = _tree(render_cluster(file, Sources(fleet, dist, request.mirror)), dist)
        return EditedTree(rendered.versions, rendered.beside, kept=(file.stem,))
    made = _tree(found.rendered, dist)
    return EditedTree(
        {**made.versions, **{dist / file.stem / version: {} for version in gone}},
        {**made.beside, file: found.text.encode()},
        cut=(file.stem,),
    )


def _tree(found: RenderedCluster, dist: Path) -> EditedTree:
    folder, record = dist / found.record.cluster, {RECORD_FILE: found.record.to_json()}
    return EditedTree(
        {folder / found.record.version: {**found.files, **record}},
        {folder / name: content for name, content in found.pinned.items()},
    )
