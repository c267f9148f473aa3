"""Cutting versions: a number, a changelog, and who did it from what."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.cluster_file.fault import Fault
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.constructs.platform_warning import told_on
from charts_py.load import load_platforms
from charts_py.platform.placeholder import stops_first_sync
from charts_py.platform.tool_version import tool_version
from gpuplane.plan.version_bump import Step
from gpuplane.release.changelog import changelog_entry, new_changelog, versions_in, with_entry
from gpuplane.release.cluster_release import ClusterRelease, NothingToCutError, ReleaseError, cut
from gpuplane.release.pruning import let_go
from gpuplane.versions.check import check_dist, selected_clusters
from gpuplane.versions.edited_clusters import edited_clusters, of_released_version
from gpuplane.versions.entries import cluster_entries
from gpuplane.versions.git import Checkout, find_checkout
from gpuplane.versions.live_versions import check_needed_versions_exist
from gpuplane.versions.main_branch import MainBranch, RepositoryRequest
from gpuplane.versions.provenance import statement, tool_digest
from gpuplane.versions.record import PROVENANCE_FILE, RECORD_FILE, digest
from gpuplane.versions.rendering import Sources
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.tree import Entry, read_tree
from gpuplane.written_files import check_in_repository, written
from policies.document import few


@dataclass(frozen=True, slots=True)
class ReleaseRequest(RepositoryRequest):
    """The clusters to cut a version of."""

    changelogs: Path
    names: tuple[str, ...]
    now: dt.datetime
    step: Step | None = None
    """The least step to raise the version by; absent, the one that a plan asks for."""
    is_merging: bool = False
    """Whether a merge is under way, so that what is not committed is that of the main branch."""
    is_edited: bool = False
    """Whether it is only those whose version is released and whose file has other objects now."""


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The versions that would be cut."""

    request: ReleaseRequest
    releases: tuple[ClusterRelease, ...]
    pruned: dict[str, tuple[str, ...]]
    """By cluster, the versions that leave `dist/` by `promotion.keep`."""
    changelogs: dict[str, str]
    warnings: tuple[Fault, ...]
    """What synth warns of as well."""
    main_branch_is_missing: bool

    def changelog(self, cluster: str) -> Path:
        return self.request.changelogs / f"{cluster}.md"


def plan_release(request: ReleaseRequest) -> ReleasePlan:
    """Return the versions that would be cut; nothing is changed.

    Raises ReleaseError where one cannot be, and what rendering a cluster raises.
    """
    check_dist(request.dist)
    main_branch = MainBranch(request.dist, request.main_branch)
    files = find_cluster_files(request.clusters)
    chosen = selected_clusters(files, request.names)
    if request.is_edited:
        chosen = tuple(_edited(files, chosen, request, main_branch))
    # Nothing is released where there is no commit.
    checkout = _checkout_of(request.dist) if chosen else None
    check_needed_versions_exist(request.dist, (file.stem for file in chosen), main_branch)
    pruned: dict[str, tuple[str, ...]] = {}
    releases: list[ClusterRelease] = []
    for file in chosen:
        if checkout is not None and not request.is_merging:
            _check_clean(checkout, request.dist, file.stem, main_branch)
        gone = tuple(let_go(file, request, main_branch))
        sources = Sources(files.fleet, request.dist, request.mirror, gone)
        try:
            releases.append(cut(file, sources, main_branch, request.step))
        except NothingToCutError:
            if request.is_edited:
                continue
            raise
        pruned[file.stem] = gone
        _check_free(releases[-1], request.dist, main_branch)
        _check_sync(releases[-1])
    entries = {
        each.cluster: changelog_entry(each.previous, each.rendered.record, each.difference)
        for each in releases
    }
    warnings = _warnings(releases, request.now.date())
    return ReleasePlan(request, tuple(releases), pruned, entries, warnings, main_branch.is_missing)


def _edited(
    files: ClusterFiles, chosen: Sequence[Path], request: ReleaseRequest, main_branch: MainBranch
) -> Iterator[Path]:
    platforms = load_platforms(ClusterFiles(files.fleet, tuple(chosen)))
    edited = {*edited_clusters(platforms, request.dist)}
    asked = (each for each in platforms if each.name in edited)
    names = {*of_released_version(asked, main_branch)}
    return (file for file in chosen if file.stem in names)


def release(plan: ReleasePlan) -> tuple[Path, ...]:
    """Write the versions, their numbers into the cluster files, and the changelogs: all or nothing.

    Returns the files and folders that were written or removed. Raises OSError where something
    cannot be written, and GitError where git knows no author.
    """
    request = plan.request
    main_branch = MainBranch(request.dist, request.main_branch)
    entries: dict[str, Entry] = {}
    contents: dict[Path, bytes] = {}
    for each in plan.releases:
        contents[each.file] = each.text.encode()
        file, entry = plan.changelog(each.cluster), plan.changelogs[each.cluster]
        old = _changelog(file, each, main_branch)
        new = with_entry(old, each.version, request.now.date(), entry)
        contents[file] = new.encode()
        entries |= _entries(each, request, main_branch)
        entries |= {f"{each.cluster}/{gone}": None for gone in plan.pruned[each.cluster]}
    with written(contents):
        replace_entries(request.dist, entries)
    return (*contents, *(request.dist / each for each in entries))


def _changelog(file: Path, found: ClusterRelease, main_branch: MainBranch) -> str:
    """Return the changelog so far: that of the main branch, where a revert took out a version."""
    check_in_repository(file)
    here = file.read_bytes().decode() if file.exists() else new_changelog(found.cluster)
    there = (main_branch.read(file) or b"").decode()
    previous = found.previous and found.previous.version
    return there if previous in versions_in(there) and previous not in versions_in(here) else here


def _check_free(found: ClusterRelease, dist: Path, main_branch: MainBranch) -> None:
    """Raise ReleaseError where others have released the version, or it stands in a folder."""
    cluster, version = found.cluster, found.version
    if main_branch.record(cluster, version) is not None:
        reference = main_branch.reference
        raise ReleaseError(
            f"{cluster}: {version} is released already ({reference}), and this branch lacks it; "
            f"merge {reference} first"
        )
    folder = dist / cluster / version
    if version != found.stated and folder.exists():
        raise ReleaseError(
            f"{cluster}: the name {version} is taken: {folder} is there, and not released; "
            f"set version: {version} to cut that, or delete the folder"
        )


def _check_sync(found: ClusterRelease) -> None:
    """Raise ReleaseError where the version goes live at once, and its first sync never ends."""
    told = [each.fault for each in found.rendered.warnings if stops_first_sync(each.fault)]
    if told and found.live == found.version:
        raise ReleaseError(
            f"{told[0]}; set it, as {found.cluster} {found.version} would go live with the merge, "
            f"or live: {NOT_LIVE} first"
        )


def _warnings(releases: Iterable[ClusterRelease], today: dt.date) -> tuple[Fault, ...]:
    return told_on(chain.from_iterable(each.rendered.warnings for each in releases), today)


def _entries(
    release: ClusterRelease, request: ReleaseRequest, main_branch: MainBranch
) -> dict[str, Entry]:
    entries = cluster_entries(release.rendered, request.dist, main_branch)
    folder = f"{release.cluster}/{release.version}"
    tree = entries[folder]
    assert isinstance(tree, dict)  # noqa: S101 # a version is a folder
    checkout = _checkout_of(request.dist)
    files = {release.file: release.text.encode()}
    if (fleet := find_cluster_files(request.clusters).fleet) is not None:
        files[fleet] = fleet.read_bytes()
    record = f"{request.dist.name}/{folder}/{RECORD_FILE}"
    previous = None if release.previous is None else release.previous.version
    said = statement(
        subject={record: {"sha256": digest(tree[RECORD_FILE])}},
        version={"cluster": release.cluster, "version": release.version, "previous": previous},
        sources={
            # The files below may differ from the commit that is checked out.
            f"git+{release.repository}": {"gitCommit": str(checkout.commit("HEAD"))},
            **{
                f"{request.clusters.name}/{file.name}": {"sha256": digest(content)}
                for file, content in files.items()
            },
            f"pkg:pypi/gpuplane@{tool_version()}": tool_digest(distribution("gpuplane")),
        },
        author=checkout.author(),
        now=request.now,
    )
    return {**entries, folder: {**tree, PROVENANCE_FILE: said}}


def _checkout_of(dist: Path) -> Checkout:
    """Return the checkout that versions are cut in; raise ReleaseError without commits."""
    checkout = find_checkout(dist)
    if checkout is None or not checkout.has_commits():
        raise ReleaseError(
            f"{dist}: there is no commit to cut a version from; commit clusters/ and dist/ first"
        )
    return checkout


def _check_clean(checkout: Checkout, dist: Path, cluster: str, main_branch: MainBranch) -> None:
    """Raise ReleaseError where `dist` has what neither HEAD nor the main branch has."""
    listed = checkout.changed_files(dist / cluster)
    if changed := [each for each in listed if not _is_restored(each, dist / cluster, main_branch)]:
        raise ReleaseError(
            f"{cluster}: {dist / cluster} differs from the last commit: {few(changed)}; "
            "commit it, or restore it"
        )


def _is_restored(file: str, folder: Path, main_branch: MainBranch) -> bool:
    """Say whether a file belongs to a version that is here as on the main branch."""
    inside = file.rpartition(f"{folder.parent.name}/{folder.name}/")[2]
    version = folder / inside.partition("/")[0]
    return version.is_dir() and read_tree(version) == main_branch.tree(version)
