"""Rendering cluster files into `dist/`, or proving that `dist/` is what they render."""

import datetime as dt
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FOLDER, ClusterFiles, list_cluster_files
from charts_py.rendering.fleet import fleet_files
from gpuplane.versions.check import check_dist, check_kinds, check_left_over
from gpuplane.versions.entries import cluster_entries
from gpuplane.versions.integrity import tampered_files
from gpuplane.versions.liveness import check_live_are_here
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import is_prerelease
from gpuplane.versions.render_clusters import render_clusters
from gpuplane.versions.rendering import RenderedCluster, Sources
from gpuplane.versions.selected_clusters import selected_clusters
from gpuplane.versions.strays import strays
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.synth_report import SynthesizedCluster, SynthReport
from gpuplane.versions.tree import Entry, Tree, compare, compare_entries, read_entry, read_tree


@dataclass(frozen=True, slots=True)
class SynthRequest:
    """What to render, and whether to write it."""

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    names: tuple[str, ...] = ()
    """Clusters to render; empty: all of them."""
    check: bool = False
    """Only compare."""
    main_branch: str | None = None
    """Git reference of the main branch, which holds what is released; found where absent."""
    mirror: Path | None = None
    """Folder of the pinned files of other projects; None where there is none."""
    today: dt.date | None = None
    """The day for warnings about what is over, and nothing else; None leaves them out."""


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
    _check_places(request, files, main_branch)
    chosen = selected_clusters(files, request.names)
    rendered = render_clusters(chosen, Sources(files.fleet, dist, request.mirror), progress)
    entries = {each.record.cluster: cluster_entries(each, dist, main_branch) for each in rendered}
    check_kinds(dist, ChainMap(*entries.values()))
    fleet = _fleet(request, rendered)
    report = SynthReport(
        clusters=tuple(_compared(each, request, entries[each.record.cluster]) for each in rendered),
        fleet=compare(read_tree(dist / FLEET_FOLDER), fleet),
        tampered=tuple(tampered_files(dist, rendered, main_branch)),
        strays=tuple(strays(dist, rendered)),
        main_branch_is_missing=_may_be_released(rendered) and main_branch.is_missing,
    )
    if not request.check:
        _write(dist, {FLEET_FOLDER: fleet or None, **ChainMap(*entries.values())})
    return report


def _check_places(request: SynthRequest, files: ClusterFiles, main_branch: MainBranch) -> None:
    check_dist(request.dist)
    if not request.names:
        names = tuple(file.stem for file in files.clusters)
        check_left_over(request.dist, request.clusters, names)
        check_live_are_here(request.dist, names, main_branch)


def _fleet(request: SynthRequest, rendered: Iterable[RenderedCluster]) -> Tree:
    """Return what the fleet shares; it consists of all clusters, and stays without them."""
    if request.names:
        return read_tree(request.dist / FLEET_FOLDER)
    return fleet_files(each.fleet_member for each in rendered if each.live is not None)


def _write(dist: Path, wanted: Mapping[str, Entry]) -> None:
    changed = {path: entry for path, entry in wanted.items() if read_entry(dist / path) != entry}
    if changed:
        replace_entries(dist, changed)


def _may_be_released(rendered: Iterable[RenderedCluster]) -> bool:
    return not all(is_prerelease(cluster.record.version) for cluster in rendered)


def _compared(
    cluster: RenderedCluster, request: SynthRequest, entries: Mapping[str, Entry]
) -> SynthesizedCluster:
    there = {path: read_entry(request.dist / path) for path in entries}
    warnings = (each for each in cluster.warnings if each.holds(request.today))
    return SynthesizedCluster(
        name=cluster.record.cluster,
        version=cluster.record.version,
        live=cluster.live,
        objects=len(cluster.files),
        changes=compare_entries(there, entries),
        warnings=tuple(str(each.fault) for each in warnings),
    )
