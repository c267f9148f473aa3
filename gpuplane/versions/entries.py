"""The files that `dist/` must hold of a cluster; those of a released version never change."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from semver import Version

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import Fault, Problem, RenderError, SpecError
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.provenance import kept_provenance
from gpuplane.versions.record import (
    RECORD_FILE,
    ReleaseRecord,
    is_prerelease,
    read_record_file,
    record_files,
)
from gpuplane.versions.rendering import RenderedCluster
from gpuplane.versions.tree import Entry, compare
from policies.document import few

_PROVEN = "the version of this file, or one that is merged, and as it was"


class ReleasedError(RenderError):
    """A released version would change; the message names the objects and the way on."""


def cluster_entries(
    cluster: RenderedCluster, dist: Path, main_branch: MainBranch
) -> dict[str, Entry]:
    """Return what `dist` must hold of a cluster, by path.

    A released version keeps its record where its objects are the same, whichever version of the
    tool renders them.
    """
    record = _check_immutable(cluster, main_branch) or cluster.record
    folder = f"{record.cluster}/{record.version}"
    written = record.to_json()
    provenance = kept_provenance(dist / folder, record.version, written, main_branch)
    _check_live(cluster, dist)
    _check_proven(cluster, dist, main_branch)
    return {
        folder: {**cluster.files, RECORD_FILE: written, **provenance},
        **{f"{record.cluster}/{name}": content for name, content in cluster.pinned.items()},
    }


def _check_proven(cluster: RenderedCluster, dist: Path, main_branch: MainBranch) -> None:
    """Raise SpecError where nothing shows that the live version is what a cluster file rendered.

    Its release.json may list whatever somebody wrote by hand.
    """
    name, live = cluster.record.cluster, cluster.live
    if live in (None, cluster.record.version) or main_branch.commit is None:
        return
    here = read_record_file(dist / name / live / RECORD_FILE)
    released = main_branch.record(name, live)
    if released is None and (pruned := main_branch.pruned(name, live)) is not None:
        released = pruned.record
    if here != released:
        state = f"is neither what this file renders nor as on {main_branch.reference}"
        raise _not_live(cluster, state, _PROVEN)


def _check_live(cluster: RenderedCluster, dist: Path) -> None:
    there = {*record_files(dist, cluster.record.cluster), cluster.record.version}
    if cluster.live is not None and cluster.live not in there:
        folder = dist / cluster.record.cluster
        state = f"is not in {folder} (git restores one that was)"
        raise _not_live(cluster, state, ", ".join(sorted(there, key=Version.parse)))


def _not_live(cluster: RenderedCluster, state: str, allowed: str) -> SpecError:
    problem = Problem(("live",), f'version "{cluster.live}" {state}', allowed)
    return SpecError([Fault(cluster.live_mark, problem)])


def _check_immutable(rendered: RenderedCluster, main_branch: MainBranch) -> ReleaseRecord | None:
    """Return the released record of the same objects, if there is one.

    Raises ReleasedError where the main branch has the version with other objects, or had it.
    """
    cluster, version = rendered.record.cluster, rendered.record.version
    if is_prerelease(version):
        return None
    if (released := main_branch.record(cluster, version)) is not None:
        state = f"is released ({main_branch.reference}) and cannot change"
        moved = _moved_fields(rendered, released, main_branch)
        return _unchanged(rendered, released, state, *moved, _after(rendered))
    if (pruned := main_branch.pruned(cluster, version)) is not None:
        state = f"was released once, and deleted by {pruned.deletion}"
        remedy = f"set a version above each in dist/{cluster}"
        return _unchanged(rendered, pruned.record, state, remedy)
    return None


def _moved_fields(
    rendered: RenderedCluster, released: ReleaseRecord, main_branch: MainBranch
) -> Iterator[str]:
    """Yield which fields of the fleet file are others than the version had, and who changed it.

    So it is after two changes that are green by themselves: one adds the version, and the other
    changes what all clusters share.
    """
    before, now = released.shared, rendered.record.shared
    if before is None or now is None:
        return
    if moved := sorted(name for name in {*before, *now} if before.get(name) != now.get(name)):
        file = Path(rendered.source).with_name(FLEET_FILE)
        commit = main_branch.commit and main_branch.commit.checkout.last_change(file)
        whose = f", by {commit}" if commit else ""
        yield f"{file} has another value of {few(moved)} since{whose}"


def _after(rendered: RenderedCluster) -> str:
    cluster, version = rendered.record.cluster, rendered.record.version
    trial = f"{Version.parse(version).bump_patch()}-rc.1"
    kept = f"; live: {version} keeps what runs" if rendered.live == version else ""
    return (
        f"gpuplane release {cluster} cuts the version that this asks for, or set version: {trial} "
        f"to look at it first{kept}"
    )


def _unchanged(
    rendered: RenderedCluster, released: ReleaseRecord, state: str, *further: str
) -> ReleaseRecord:
    if changes := compare(released.files, rendered.record.files):
        version = rendered.record.version
        what = f"version {version} {state}, but other objects are rendered now"
        paths = (f"{word} {path}" for word, each in asdict(changes).items() for path in each)
        listed = (f"  {line}" for line in (*paths, *further))
        raise ReleasedError("\n".join([f"{rendered.source}: {what}:", *listed]))
    return released
