"""Having versions go live: moving `live` in cluster files."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import SUFFIX, find_cluster_files
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from gpuplane.release.judgement import Judge, Judgement
from gpuplane.release.live_history import Move, live_at, was_live
from gpuplane.release.scalar_edit import with_live
from gpuplane.versions.check import check_dist, selected_clusters
from gpuplane.versions.git import find_checkout
from gpuplane.versions.live_versions import live_version
from gpuplane.versions.main_branch import MainBranch, RepositoryRequest
from gpuplane.versions.record import ReleaseRecord, read_record_file, record_files as records_of
from gpuplane.versions.snapshot import ClusterSnapshot, DeclaredVersions, Snapshot, WorkTree
from gpuplane.versions.synth import SynthRequest, synthesize
from gpuplane.versions.tree import not_rendered, unknown
from gpuplane.written_files import written

TRAILER = "Promotion-Override"
"""Name of the trailer (https://git-scm.com/docs/git-interpret-trailers)."""


@dataclass(frozen=True, slots=True)
class PromotionRequest(RepositoryRequest):
    """The version that goes live, and the clusters."""

    names: tuple[str, ...]
    now: dt.datetime
    version: str | None = None
    """Absent, the one that each cluster file renders."""
    override: str | None = None


@dataclass(frozen=True, slots=True)
class PromotionPlan:
    request: PromotionRequest
    judgements: tuple[Judgement, ...]
    main_branch_is_missing: bool
    live: tuple[ReleaseRecord, ...] = ()
    """Versions that were asked for and are live already."""

    @property
    def is_refused(self) -> bool:
        return any(each.is_refused for each in self.judgements)


def plan_promotion(request: PromotionRequest) -> PromotionPlan:
    """Judge what would go live; nothing is changed.

    Raises RenderError for an unknown cluster, DistError for a version that is not rendered,
    GitError where git cannot tell what is live.
    """
    main_branch, judge = _parties(request)
    judged, live = [], []
    for name in _names(request):
        record = _asked(request, name)
        move = _move(request.dist, name, record, main_branch)
        here = live_version(WorkTree(), request.dist, name)
        is_here = record.version == here == _declared(request, name).live
        if is_here and not move.is_any:
            live.append(record)
        else:
            judged.append(_overridden(judge.judge(move), request.override))
    return PromotionPlan(request, tuple(judged), main_branch.is_missing, tuple(live))


def check_moves(request: PromotionRequest) -> PromotionPlan:
    """Return what goes live with the work tree that is not live on the main branch.

    A trailer of a commit that the main branch does not have may override what refuses it.
    Raises what `plan_promotion` does.
    """
    main_branch, judge = _parties(request)
    # What went live on the main branch since HEAD left it, this change does not take back.
    moves = (
        _move(request.dist, name, record, main_branch)
        for name, record in _live_here(request)
        if record != _was_live(request, name, main_branch)
    )
    judged = (
        _overridden(judge.judge(move), _declared_override(move, request.dist, main_branch))
        for move in moves
        if move.is_any
    )
    return PromotionPlan(request, tuple(judged), main_branch.is_missing)


def promote(plan: PromotionPlan) -> None:
    """Write `live` into the cluster files, and what follows from it into `dist/`: all or nothing.

    Raises DistError where it does not stand in a file, and what `synthesize` does.
    """
    request = plan.request
    moves = [each.move for each in plan.judgements]
    if not moves:
        return
    files = {}
    for move in moves:
        file, version = request.clusters / f"{move.cluster}{SUFFIX}", move.new.version
        text = file.read_bytes().decode()
        files[file] = with_live(file, text, version).encode()
    begins = any(live_version(WorkTree(), request.dist, move.cluster) is None for move in moves)
    # A cluster that was never live is not part of dist/fleet, which takes all clusters.
    names = () if begins else tuple(move.cluster for move in moves)
    with written(files):
        synthesize(SynthRequest(request.clusters, request.dist, names, mirror=request.mirror))


def _live_here(request: PromotionRequest) -> Iterator[tuple[str, ReleaseRecord]]:
    for name in _names(request):
        if (version := live_version(WorkTree(), request.dist, name)) is not None:
            yield name, _record(request.dist, name, version)


def _was_live(
    request: PromotionRequest, name: str, main_branch: MainBranch
) -> ReleaseRecord | None:
    """Return the record of what was live where HEAD left the main branch."""
    point = main_branch.branch_point
    _, record = (None, None) if point is None else live_at(point, request.dist, name)
    return record


def _overridden(judgement: Judgement, reason: str | None) -> Judgement:
    reason = None if reason is None else " ".join(reason.split())
    return replace(judgement, override=reason) if judgement.refusals else judgement


def _parties(request: PromotionRequest) -> tuple[MainBranch, Judge]:
    check_dist(request.dist)
    main_branch = MainBranch(request.dist, request.main_branch)
    return main_branch, Judge(request.clusters, request.dist, main_branch, request.now)


def _names(request: PromotionRequest) -> Iterator[str]:
    files = find_cluster_files(request.clusters)
    yield from (file.stem for file in selected_clusters(files, request.names))


def _declared(request: PromotionRequest, name: str) -> DeclaredVersions:
    return ClusterSnapshot(WorkTree(), request.clusters, request.dist, name).declared


def _asked(request: PromotionRequest, name: str) -> ReleaseRecord:
    declared = _declared(request, name).version or NOT_LIVE
    if request.version is None and declared not in records_of(request.dist, name):
        file = request.clusters / f"{name}{SUFFIX}"
        raise not_rendered(file, declared, request.dist / name)
    return _record(request.dist, name, request.version or declared)


def _record(dist: Path, name: str, version: str) -> ReleaseRecord:
    records = records_of(dist, name)
    if version not in records:
        raise unknown("version", version, records, dist / name)
    return read_record_file(records[version])


def _move(dist: Path, name: str, record: ReleaseRecord, main_branch: MainBranch) -> Move:
    main: Snapshot | None = main_branch.commit
    if main is None and not main_branch.is_in_checkout:
        main = WorkTree()
    version, old = (None, None) if main is None else live_at(main, dist, name)
    move = Move(name, old, version, record)
    # Without git there is no history that could show what was live.
    commit = main_branch.commit
    is_known = move.has_lower_number and (commit is None or was_live(commit, dist, name, record))
    return replace(move, was_live=is_known)


def trailer(move: Move, reason: str) -> str:
    """Return the line that a commit message has to end with, in a block of such lines."""
    return f"{TRAILER}: {move.cluster} {move.new.version}: {reason}"


def _declared_override(move: Move, dist: Path, main_branch: MainBranch) -> str | None:
    """Return the reason that a commit states which the main branch does not have; None without.

    Raises GitError where git cannot answer.
    """
    checkout, main = find_checkout(dist), main_branch.commit
    if checkout is None or main is None:
        return None
    format_ = f"--format=%(trailers:key={TRAILER},valueonly,unfold)"
    listed = checkout.run("log", format_, f"{main.object_name}..HEAD").decode().splitlines()
    begin = f"{move.cluster} {move.new.version}: "
    return next((one.removeprefix(begin) for one in listed if one.startswith(begin)), None)
