"""What belongs in `dist/` for a rendered cluster."""

from pathlib import Path

from semver import Version

from charts_py.release.dist import Entry
from charts_py.release.immutability import check_immutable
from charts_py.release.main_branch import MainBranch
from charts_py.release.provenance import kept_provenance
from charts_py.release.release_record import RECORD_FILE, record_files
from charts_py.release.rendered_cluster import RenderedCluster
from charts_py.spec.fault import Fault, Problem, SpecError


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
    return {
        folder: {**cluster.files, RECORD_FILE: written, **provenance},
        **{f"{record.cluster}/{name}": content for name, content in cluster.pinned.items()},
    }


def _check_live(cluster: RenderedCluster, dist: Path) -> None:
    """Raise SpecError where Argo CD would be pointed at a version that is not there."""
    there = {*record_files(dist, cluster.record.cluster), cluster.record.version}
    if cluster.live is not None and cluster.live not in there:
        folder = dist / cluster.record.cluster
        what = f'version "{cluster.live}" is not in {folder} (git restores one that was)'
        problem = Problem(("live",), what, ", ".join(sorted(there, key=Version.parse)))
        raise SpecError([Fault(cluster.live_mark, problem)])
