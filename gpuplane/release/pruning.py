"""Deleting old versions of clusters from `dist/`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from semver import Version

from charts_py.cluster_file.cluster_files import find_cluster_files
from gpuplane.release.rules import declared_rules
from gpuplane.versions.check import check_dist, selected_clusters
from gpuplane.versions.git import find_checkout, find_commit
from gpuplane.versions.live_versions import latest_live, live_version
from gpuplane.versions.main_branch import MainBranch, RepositoryRequest
from gpuplane.versions.record import is_prerelease, record_files
from gpuplane.versions.rendering import Sources, render_cluster
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.tree import DistError, Entry


@dataclass(frozen=True, slots=True)
class PruneRequest(RepositoryRequest):
    keep: int | None = None
    """How many of the latest released versions stay besides those that something needs; absent,
    what `promotion.keep` of each cluster says."""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrunedVersion:
    version: str
    is_on_main_branch: bool


@dataclass(frozen=True, slots=True)
class ClusterPruning:
    """The versions of a cluster that stay and that go."""

    file: Path
    kept: Mapping[str, str]
    """Why each version stays, by version."""
    deleted: tuple[PrunedVersion, ...]

    @property
    def cluster(self) -> str:
        return self.file.stem


@dataclass(frozen=True, slots=True)
class Pruning:
    request: PruneRequest
    fleet: Path | None
    clusters: tuple[ClusterPruning, ...]
    main_branch_is_missing: bool

    @property
    def is_empty(self) -> bool:
        return not any(each.deleted for each in self.clusters)


def plan_pruning(request: PruneRequest) -> Pruning:
    """Return what would be deleted; nothing is changed.

    Raises RenderError for an unknown cluster, GitError where git cannot tell what is live, and
    DistError for a cluster that nothing says how many to keep of.
    """
    check_dist(request.dist)
    main_branch = MainBranch(request.dist, request.main_branch)
    files = find_cluster_files(request.clusters)
    chosen = selected_clusters(files, request.names)
    clusters = tuple(cluster_pruning(file, request, main_branch) for file in chosen)
    return Pruning(request, files.fleet, clusters, main_branch.is_missing)


def prune(pruning: Pruning) -> None:
    """Delete the versions, and forbid Argo CD what only they needed: all or nothing.

    Raises what rendering a cluster raises, and OSError where something cannot be written.
    """
    entries = (_entries(each, pruning) for each in pruning.clusters if each.deleted)
    replace_entries(pruning.request.dist, dict(chain.from_iterable(entries)))


def _entries(cluster: ClusterPruning, pruning: Pruning) -> Iterator[tuple[str, Entry]]:
    request = pruning.request
    versions = tuple(each.version for each in cluster.deleted)
    sources = Sources(pruning.fleet, request.dist, request.mirror, versions)
    for name, content in render_cluster(cluster.file, sources).pinned.items():
        yield f"{cluster.cluster}/{name}", content
    for version in versions:
        yield f"{cluster.cluster}/{version}", None


def cluster_pruning(file: Path, request: PruneRequest, main_branch: MainBranch) -> ClusterPruning:
    """Return what would be deleted of one cluster; raise what `plan_pruning` does."""
    cluster, dist = file.stem, request.dist
    keep, said_by = _keep(file, request)
    versions = filter(Version.is_valid, record_files(dist, cluster))
    there = sorted(versions, key=Version.parse, reverse=True)
    needed = dict(_needed(cluster, request, main_branch))
    others = (each for each in there if each not in needed and not is_prerelease(each))
    latest = dict.fromkeys(islice(others, keep), f"kept by {said_by} {keep}")
    kept = {each: why for each in there if (why := needed.get(each) or latest.get(each))}
    deleted = (each for each in there if each not in kept)
    return ClusterPruning(
        file,
        kept,
        tuple(
            PrunedVersion(each, main_branch.record(cluster, each) is not None) for each in deleted
        ),
    )


def let_go(file: Path, request: RepositoryRequest, main_branch: MainBranch) -> Iterator[str]:
    """Yield what a release lets go by `promotion.keep`: versions that the main branch has."""
    keep = declared_rules(WorkTree(), request.clusters, file.stem).keep
    if keep is None:
        return
    kept = PruneRequest(request.clusters, request.dist, keep)
    for gone in cluster_pruning(file, kept, main_branch).deleted:
        if gone.is_on_main_branch:
            yield gone.version


def _keep(file: Path, request: PruneRequest) -> tuple[int, str]:
    """Return how many versions to keep, and what says so; raise DistError where nothing does."""
    if request.keep is not None:
        return request.keep, "--keep"
    keep = declared_rules(WorkTree(), request.clusters, file.stem).keep
    if keep is None:
        raise DistError(
            f"{file}: nothing says how many versions of {file.stem} to keep; "
            "give --keep N, or set promotion.keep in clusters/fleet.yaml"
        )
    return keep, "promotion.keep:"


def _needed(
    cluster: str, request: PruneRequest, main_branch: MainBranch
) -> Iterator[tuple[str, str]]:
    """Yield versions with what needs them; of several reasons, the last is given."""
    yield from _live_on_branches(cluster, request.dist)
    if main_branch.commit is not None:
        lived = latest_live(main_branch.commit, request.dist, cluster)
        for version, why in zip(lived, ("live", "live before, to go back to"), strict=False):
            yield version, f"{why} ({main_branch.reference})"
    declared = ClusterSnapshot(WorkTree(), request.clusters, request.dist, cluster).declared
    for stated, why in ((declared.version, "rendered"), (declared.live, "live")):
        if stated is not None:
            yield stated, why


def _live_on_branches(cluster: str, dist: Path) -> Iterator[tuple[str, str]]:
    """Yield what other branches that are here would have live."""
    checkout = find_checkout(dist)
    if checkout is None:
        return
    for reference in checkout.branches():
        commit = find_commit(checkout, reference)
        version = None if commit is None else live_version(commit, dist, cluster)
        if version is not None:
            yield version, f"live on {reference}"
