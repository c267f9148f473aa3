"""What belongs in `dist/` for a rendered cluster."""

from pathlib import Path

from semver import Version

from charts_py.cluster_file.fault import Fault, Problem, SpecError
from gpuplane.versions.immutability import check_immutable
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.provenance import kept_provenance
from gpuplane.versions.record import RECORD_FILE, read_record_file, record_files
from gpuplane.versions.rendering import RenderedCluster
from gpuplane.versions.tree import Entry

_PROVEN = "the version of this file, or one that is merged, and as it was"


def cluster_entries(
    cluster: RenderedCluster, dist: Path, main_branch: MainBranch
) -> dict[str, Entry]:
    """Return what belongs in `dist` for a cluster.

    A released version keeps its record where its objects are the same, whichever version of the
    tool renders them.
    """
    record = check_immutable(cluster, main_branch) or cluster.record
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
        problem = Problem(("live",), f'version "{live}" {state}', _PROVEN)
        raise SpecError([Fault(cluster.live_mark, problem)])


def _check_live(cluster: RenderedCluster, dist: Path) -> None:
    """Raise SpecError where Argo CD would be pointed at a version that is not there."""
    there = {*record_files(dist, cluster.record.cluster), cluster.record.version}
    if cluster.live is not None and cluster.live not in there:
        folder = dist / cluster.record.cluster
        what = f'version "{cluster.live}" is not in {folder} (git restores one that was)'
        problem = Problem(("live",), what, ", ".join(sorted(there, key=Version.parse)))
        raise SpecError([Fault(cluster.live_mark, problem)])
