"""Rendering cluster files into `dist/`, or proving that `dist/` is what they render."""

import datetime as dt
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FOLDER, is_passed_over, list_cluster_files
from charts_py.cluster_file.fault import Fault
from charts_py.constructs.platform_warning import told_on
from charts_py.rendering.fleet import fleet_files
from gpuplane.aside_folder import abandoned, remove_abandoned
from gpuplane.versions.check import check_dist, check_kinds, check_left_over, selected_clusters
from gpuplane.versions.entries import cluster_entries
from gpuplane.versions.live_versions import check_needed_versions_exist
from gpuplane.versions.main_branch import MainBranch, RepositoryRequest, check_live_are_here
from gpuplane.versions.provenance import is_of_another
from gpuplane.versions.record import (
    PROVENANCE_FILE,
    changes_since,
    is_prerelease,
    read_record_file,
    record_files,
)
from gpuplane.versions.rendering import RenderedCluster, Sources, render_clusters
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.tree import (
    Changes,
    Entry,
    Tree,
    compare,
    compare_entries,
    read_entry,
    read_tree,
)

_SUFFIXES = (".json", ".yaml", ".yml")
"""kubectl and Argo CD apply files with these suffixes."""


@dataclass(frozen=True, slots=True)
class SynthesizedCluster:
    name: str
    version: str
    live: str | None
    objects: int
    changes: Changes
    """Paths below `dist`."""
    warnings: tuple[Fault, ...]
    """In the order of the lines of its files."""


@dataclass(frozen=True, slots=True)
class SynthReport:
    clusters: tuple[SynthesizedCluster, ...]
    fleet: Changes
    tampered: tuple[str, ...]
    """Files of other versions that are not as they were rendered."""
    strays: tuple[str, ...]
    """Manifests in the folders of clusters that belong to no version."""
    abandoned: tuple[str, ...]
    """Folders that killed commands left beside clusters and in `dist`."""
    main_branch_is_missing: bool

    @property
    def is_changed(self) -> bool:
        return bool(self.fleet) or any(cluster.changes for cluster in self.clusters)

    @property
    def is_current(self) -> bool:
        return not (self.is_changed or self.tampered or self.strays or self.abandoned)


@dataclass(frozen=True, slots=True)
class SynthRequest(RepositoryRequest):
    """The clusters to render, and whether to write them."""

    names: tuple[str, ...] = ()
    """Clusters to render; empty: all of them."""
    check: bool = False
    """Only compare."""
    today: dt.date | None = None
    """Warnings about expired settings go by this day; None leaves them out."""


def synthesize(
    request: SynthRequest, progress: Callable[[str], None] = lambda _: None
) -> SynthReport:
    """Render clusters and write them, or compare only; `progress` is called with each name.

    Without a cluster file there is nothing to render, as once the last cluster is removed.

    Raises SpecError with all faults, RenderError, DistError, GitError where git cannot tell what
    is released, ReleasedError where a released version would change, UpstreamError where Helm or a
    chart that it is to render is missing, or OSError where `dist` cannot be written; `dist` is then
    as it was.
    """
    dist, files = request.dist, list_cluster_files(request.clusters)
    main_branch = MainBranch(dist, request.main_branch)
    check_dist(dist)
    if not request.names:
        declared = tuple(file.stem for file in files.clusters)
        check_left_over(dist, request.clusters, declared)
        check_live_are_here(dist, declared, main_branch)
    chosen = selected_clusters(files, request.names)
    others = [file for file in files.clusters if file not in chosen]
    sources = Sources(files.fleet, dist, request.mirror)
    rendered = render_clusters(chosen, sources, progress, others)
    check_needed_versions_exist(dist, (file.stem for file in chosen), main_branch)
    entries = {each.record.cluster: cluster_entries(each, dist, main_branch) for each in rendered}
    check_kinds(dist, ChainMap(*entries.values()))
    fleet = read_tree(dist / FLEET_FOLDER)
    new_fleet: Tree = fleet
    # The fleet's files stay as they are where only some clusters are rendered.
    if not request.names:
        new_fleet = fleet_files(each.fleet_member for each in rendered if each.live is not None)
    may_be_released = not all(is_prerelease(each.record.version) for each in rendered)
    report = SynthReport(
        clusters=tuple(_compared(each, request, entries[each.record.cluster]) for each in rendered),
        fleet=compare(fleet, new_fleet),
        tampered=tuple(_tampered_files(dist, rendered, main_branch)),
        strays=tuple(_strays(dist, rendered)),
        abandoned=tuple(map(str, (*abandoned(request.clusters), *abandoned(dist)))),
        main_branch_is_missing=may_be_released and main_branch.is_missing,
    )
    if not request.check:
        for folder in (request.clusters, dist):
            remove_abandoned(folder)
        wanted = {FLEET_FOLDER: new_fleet or None, **ChainMap(*entries.values())}
        changed = {path: one for path, one in wanted.items() if read_entry(dist / path) != one}
        if changed:
            replace_entries(dist, changed)
    return report


def _compared(
    cluster: RenderedCluster, request: SynthRequest, entries: Mapping[str, Entry]
) -> SynthesizedCluster:
    there = {path: read_entry(request.dist / path) for path in entries}
    return SynthesizedCluster(
        name=cluster.record.cluster,
        version=cluster.record.version,
        live=cluster.live,
        objects=len(cluster.files),
        changes=compare_entries(there, entries),
        warnings=told_on(cluster.warnings, request.today),
    )


def _strays(dist: Path, rendered: Iterable[RenderedCluster]) -> Iterator[str]:
    """Yield files and folders beside the versions that a person could take for rendered ones.

    Argo CD syncs none of them, but `kubectl apply --recursive` would.
    """
    for cluster in rendered:
        folder = dist / cluster.record.cluster
        known = {*record_files(dist, folder.name), cluster.record.version, *cluster.pinned}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name in known or is_passed_over(path.name):
                continue
            files = path.rglob("*") if path.is_dir() else (path,)
            if any(file.suffix in _SUFFIXES and file.is_file() for file in files):
                yield f"{path.relative_to(dist).as_posix()}{'/' if path.is_dir() else ''}"


def _tampered_files(
    dist: Path, rendered: Iterable[RenderedCluster], main_branch: MainBranch
) -> Iterator[str]:
    """Yield the files of these clusters' other versions that are not as they were rendered.

    Those differ from their release.json, or that one from what was released.
    """
    altered = main_branch.altered_records()
    for cluster in rendered:
        for version, record in record_files(dist, cluster.record.cluster).items():
            if version == cluster.record.version:
                continue
            yield from (each for each in altered if dist / each == record)
            tree = read_tree(record.parent)
            changes = changes_since(read_record_file(record).files, tree)
            forged = (PROVENANCE_FILE,) if is_of_another(tree) else ()
            for path in sorted((*changes.added, *changes.changed, *changes.removed, *forged)):
                yield (record.parent / path).relative_to(dist).as_posix()
