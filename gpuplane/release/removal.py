"""Removing a cluster: its file, and all that it rendered."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from charts_py.argocd.application import LIVE_APPLICATION
from charts_py.cluster_file.cluster_files import (
    FLEET_FOLDER,
    SUFFIX,
    ClusterFiles,
    list_cluster_files,
)
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.load import load_platforms
from charts_py.rendering.fleet import fleet_files, fleet_member
from gpuplane.versions.check import check_dist, rendered_names
from gpuplane.versions.main_branch import Live, MainBranch, find_live
from gpuplane.versions.record import read_record_file, record_files
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.tree import Changes, DistError, Tree, compare, read_tree, unknown


class StillLiveError(DistError):
    """A cluster that Argo CD syncs was to be removed; the message says what comes first."""


@dataclass(frozen=True, slots=True)
class RemovedVersion:
    version: str
    objects: int
    is_on_main_branch: bool


@dataclass(frozen=True, slots=True)
class Removal:
    cluster: str
    dist: Path
    file: Path | None
    """The cluster file; None where it is gone already."""
    is_file_on_main_branch: bool
    """Whether git keeps it there, as it is here."""
    versions: tuple[RemovedVersion, ...]
    files: int
    """How many there are in its folder of `dist`."""
    fleet: Tree
    """What the fleet's folder holds without it."""
    fleet_changes: Changes
    main_branch_is_missing: bool


def plan_removal(clusters: Path, dist: Path, name: str, reference: str | None = None) -> Removal:
    """Return what would go with a cluster; nothing is changed.

    `reference` is that of the main branch, which is found without it.

    Raises DistError for an unknown cluster, StillLiveError for one that is live, SpecError where
    the fleet without it cannot be rendered, GitError where git cannot tell what is live.
    """
    check_dist(dist)
    files = list_cluster_files(clusters)
    by_name = {file.stem: file for file in files.clusters}
    known = sorted({*by_name, *rendered_names(dist)})
    if name not in known:
        raise unknown("cluster", name, known)
    main_branch = MainBranch(dist, reference)
    if live := find_live(dist, name, main_branch):
        raise StillLiveError("\n".join(_way_out(clusters / f"{name}{SUFFIX}", dist / name, live)))
    file = by_name.pop(name, None)
    platforms = load_platforms(ClusterFiles(files.fleet, tuple(by_name.values())))
    fleet = fleet_files(fleet_member(each) for each in platforms if each.is_live)
    versions = (
        RemovedVersion(
            version,
            len(read_record_file(record).files),
            is_on_main_branch=main_branch.record(name, version) is not None,
        )
        for version, record in record_files(dist, name).items()
    )
    return Removal(
        cluster=name,
        dist=dist,
        file=file,
        is_file_on_main_branch=file is not None and main_branch.read(file) == file.read_bytes(),
        versions=tuple(versions),
        files=len(read_tree(dist / name)),
        fleet=fleet,
        fleet_changes=compare(read_tree(dist / FLEET_FOLDER), fleet),
        main_branch_is_missing=main_branch.is_missing,
    )


def remove(removal: Removal) -> None:
    """Remove the cluster's file and its folder, and take it out of the fleet: all or nothing.

    Raises OSError where something cannot be written; nothing is changed then.
    """
    fleet = {FLEET_FOLDER: removal.fleet or None} if removal.fleet_changes else {}
    files = () if removal.file is None else (removal.file,)
    replace_entries(removal.dist, {removal.cluster: None, **fleet}, removed_with=files)


def _way_out(file: Path, folder: Path, live: Live) -> Iterator[str]:
    name = folder.name
    yield f"{name}: {live.version} is live ({live.place}), so nothing is removed. First:"
    if file.exists() and not (folder / LIVE_APPLICATION).exists():
        yield f"  1. merge live: {NOT_LIVE}, as {file} says here, and fetch the main branch"
    else:
        restored = "" if file.exists() else f"restore {file}, "
        yield f"  1. {restored}set live: {NOT_LIVE} in {file}, gpuplane synth, and merge"
    yield (
        f"  2. once Argo CD has synced that, and {name}-live is gone, delete the other "
        f"Applications {name}-*, with what they installed or without"
    )
    yield f"  3. gpuplane remove {shlex.quote(name)}, and merge"
