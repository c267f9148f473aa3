"""The platform that a version of a cluster was rendered from, as far as git has its cluster file.

A cluster file says which version it renders. What another one was rendered from, such as the live
one, stands in the last commit whose cluster file renders it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from charts_py.cluster_file.cluster_files import FLEET_FILE, ClusterFiles
from charts_py.cluster_file.fault import SpecError
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import spec_digest
from gpuplane.reports.cost.cost_request import earlier_clusters
from gpuplane.versions.comparison import ComparedSide
from gpuplane.versions.git import Commit, find_checkout, find_commit
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree

_VERSION_LINE = "^version:"
_SHORT = 9


@dataclass(frozen=True, slots=True)
class NotKnown:
    reason: str
    """A full sentence."""


def version_platform(side: ComparedSide, here: Platform | None) -> Platform | NotKnown | None:
    """Return the platform that a version was rendered from; None where there is no version.

    `here` is the cluster as its file on the disk has it; None where that was edited since. Raises
    GitError where git cannot answer.
    """
    if side.version is None:
        return None
    snapshot = side.snapshot
    if snapshot.declared.version != side.version:
        return _earlier_platform(snapshot, side.version)
    if here is None and isinstance(snapshot.snapshot, WorkTree):
        return _committed_platform(snapshot, side.version)
    if isinstance(snapshot.snapshot, Commit):
        return _platform_at(snapshot.snapshot, snapshot)
    return here


def _earlier_platform(snapshot: ClusterSnapshot, version: str) -> Platform | NotKnown:
    """Find a version that the cluster file no longer renders."""
    for commit in _last_of_versions(snapshot):
        found = replace(snapshot, snapshot=commit, must_be_whole=False)
        if found.declared.version == version:
            return _platform_at(commit, found)
    return NotKnown(
        f"What {snapshot.name} {version} was rendered from is not known: git has no commit here "
        "with a cluster file that renders it."
    )


def _committed_platform(snapshot: ClusterSnapshot, version: str) -> Platform | NotKnown:
    found, record = _earlier_platform(snapshot, version), snapshot.record(version)
    if isinstance(found, NotKnown) or (record and record.spec_digest == spec_digest(found)):
        return found
    return NotKnown(
        f"What {snapshot.name} {version} was rendered from is not known: its cluster file was "
        "edited, and committed so."
    )


def _last_of_versions(snapshot: ClusterSnapshot) -> Iterator[Commit]:
    """Yield the last commit of each version that was rendered, the newest first."""
    start = snapshot.snapshot
    checkout = start.checkout if isinstance(start, Commit) else find_checkout(snapshot.clusters)
    if checkout is None or not checkout.has_commits():
        return
    name = start.object_name if isinstance(start, Commit) else "HEAD"
    files = [snapshot.clusters / file for file in (f"{snapshot.name}.yaml", FLEET_FILE)]
    changed = ("log", "--format=%P", f"-G{_VERSION_LINE}", name, "--")
    parents = checkout.run(*changed, *(str(file.resolve()) for file in files)).decode()
    # What comes before a change of the version is the last of another one.
    befores = (line.split()[0] for line in parents.splitlines() if line.strip())
    for last in (name, *befores):
        if (commit := find_commit(checkout, last)) is not None:
            yield replace(commit, reference=commit.object_name[:_SHORT])


def _platform_at(commit: Commit, snapshot: ClusterSnapshot) -> Platform | NotKnown:
    """Read a cluster file as a commit has it by this version of gpuplane."""
    with earlier_clusters(commit, snapshot.clusters) as earlier:
        files = earlier.files()
        own = tuple(file for file in files.clusters if file.stem == snapshot.name)
        try:
            found = earlier.load(ClusterFiles(files.fleet, own))
        except SpecError as error:
            return NotKnown(
                f"What {snapshot.name} was at {commit.reference} is not known, since its cluster "
                f"file cannot be read: {error.faults[0]}"
            )
        return found[0] if found else NotKnown(f"{commit.reference} has no {snapshot.name}.yaml.")
