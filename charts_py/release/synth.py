"""Rendering cluster files into `dist/`, or proving that `dist/` is what they render."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from semver import Version

from charts_py.load import ClusterFiles, find_cluster_files
from charts_py.platform.render_error import RenderError
from charts_py.release.dist import (
    STAGING_PREFIX,
    Changes,
    Entry,
    compare,
    read_entry,
    read_tree,
    replace_entries,
)
from charts_py.release.dist_error import unknown_name
from charts_py.release.immutability import check_immutable, is_prerelease
from charts_py.release.integrity import tampered_files
from charts_py.release.main_branch import MainBranch
from charts_py.release.release_record import RECORD_FILE, record_files
from charts_py.release.render_clusters import render_clusters
from charts_py.release.rendered_cluster import RenderedCluster, Sources
from charts_py.rendering.fleet import fleet_files
from charts_py.spec.cluster_files import FLEET_FOLDER


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


@dataclass(frozen=True, slots=True)
class SynthesizedCluster:
    """What became of one cluster."""

    name: str
    version: str
    live: str
    objects: int
    changes: Changes
    """Paths below `dist`."""


@dataclass(frozen=True, slots=True)
class SynthReport:
    """What became of all of them."""

    clusters: tuple[SynthesizedCluster, ...]
    fleet: Changes
    left_over: tuple[str, ...]
    """Folders of clusters that no file describes any more."""
    tampered: tuple[str, ...]
    """Files of other versions that are not what their release.json says."""
    main_branch_is_missing: bool
    """Whether nobody can tell if the rendered versions are released: this is a checkout, but none
    of its branches is known to be the main one."""

    @property
    def is_current(self) -> bool:
        """Whether `dist` was what the sources render, in both directions."""
        unchanged = not any(cluster.changes for cluster in self.clusters) and not self.fleet
        return unchanged and not self.left_over and not self.tampered


def synthesize(
    request: SynthRequest, progress: Callable[[str], None] = lambda _: None
) -> SynthReport:
    """Render clusters and write them, or compare only; `progress` hears each finished cluster.

    Raises SpecError with all faults, RenderError, DistError, GitError where git cannot tell what
    is released, or ReleasedError where a released version would change; `dist` is then as it was.
    """
    dist, files = request.dist, find_cluster_files(request.clusters)
    sources = Sources(files.fleet, dist)
    rendered = render_clusters(_selected(files, request.names), sources, progress)
    main_branch = MainBranch(dist, request.main_branch)
    entries = {cluster.record.cluster: _entries(cluster, dist, main_branch) for cluster in rendered}
    # The fleet consists of all clusters; without them it stays as it is.
    fleet = read_tree(dist / FLEET_FOLDER)
    if not request.names:
        fleet = fleet_files(cluster.fleet_member for cluster in rendered)
    report = SynthReport(
        clusters=tuple(_compared(cluster, dist, entries) for cluster in rendered),
        fleet=compare(read_tree(dist / FLEET_FOLDER), fleet),
        left_over=() if request.names else _left_over(dist, files),
        tampered=tuple(tampered_files(dist, rendered)),
        main_branch_is_missing=_may_be_released(rendered) and main_branch.is_missing,
    )
    if not request.check:
        wanted: dict[str, Entry] = {FLEET_FOLDER: fleet or None, **dict.fromkeys(report.left_over)}
        for cluster_entries in entries.values():
            wanted |= cluster_entries
        replace_entries(dist, {k: v for k, v in wanted.items() if read_entry(dist / k) != v})
    return report


def _may_be_released(rendered: Iterable[RenderedCluster]) -> bool:
    return not all(is_prerelease(cluster.record.version) for cluster in rendered)


def _selected(files: ClusterFiles, names: tuple[str, ...]) -> tuple[Path, ...]:
    by_name = {file.stem: file for file in files.clusters}
    for name in (name for name in names if name not in by_name):
        raise RenderError(unknown_name("cluster", name, by_name))
    return tuple(by_name[name] for name in names) or files.clusters


def _entries(cluster: RenderedCluster, dist: Path, main_branch: MainBranch) -> dict[str, Entry]:
    """Return what is to stand in `dist` for a cluster.

    A released version keeps its record where its objects are the same, whichever version of the
    tool renders them.
    """
    record = check_immutable(cluster, main_branch) or cluster.record
    folder = f"{record.cluster}/{record.version}"
    _check_live(cluster, dist)
    return {
        folder: {**cluster.files, RECORD_FILE: record.to_json()},
        **{f"{record.cluster}/{name}": content for name, content in cluster.pinned.items()},
    }


def _check_live(cluster: RenderedCluster, dist: Path) -> None:
    """Raise RenderError where Argo CD would be pointed at a version that is not there."""
    there = {*record_files(dist, cluster.record.cluster), cluster.record.version}
    if cluster.live not in there:
        folder = dist / cluster.record.cluster
        allowed = ", ".join(sorted(there, key=Version.parse))
        raise RenderError(
            f'{cluster.source}: live: version "{cluster.live}" is not in {folder}; '
            f"allowed: {allowed}"
        )


def _compared(
    cluster: RenderedCluster, dist: Path, entries: Mapping[str, Mapping[str, Entry]]
) -> SynthesizedCluster:
    name = cluster.record.cluster
    old = _flat({path: read_entry(dist / path) for path in entries[name]})
    return SynthesizedCluster(
        name=name,
        version=cluster.record.version,
        live=cluster.live,
        objects=len(cluster.files),
        changes=compare(old, _flat(entries[name])),
    )


def _flat(entries: Mapping[str, Entry]) -> dict[str, bytes]:
    """Return the content of every file by its path below `dist`."""
    files: dict[str, bytes] = {}
    for path, entry in entries.items():
        if isinstance(entry, bytes):
            files[path] = entry
        elif entry is not None:
            files |= {f"{path}/{name}": content for name, content in entry.items()}
    return files


def _left_over(dist: Path, files: ClusterFiles) -> tuple[str, ...]:
    """Return what stands in `dist` for no cluster, sorted."""
    known = {FLEET_FOLDER, *(file.stem for file in files.clusters)}
    there = {path.name for path in dist.glob("*") if not path.name.startswith(STAGING_PREFIX)}
    return tuple(sorted(there - known))
