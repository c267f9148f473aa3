"""Taking `dist/` and changelogs out of a merge or rebase that conflicts, and cutting them anew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import SUFFIX, list_cluster_files
from charts_py.cluster_file.source import read_source
from gpuplane.release.cluster_release import ClusterRelease, NothingToCutError
from gpuplane.release.release import ReleaseRequest, plan_release, release
from gpuplane.versions.git import Checkout, Commit
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import is_prerelease
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.synth import SynthReport
from gpuplane.versions.tree import DistError, Entry
from gpuplane.written_files import write_files


@dataclass(frozen=True, slots=True)
class Resolution:
    taken: tuple[str, ...]
    """Versions, files beside them and changelogs that are as on the main branch, or gone where it
    has none."""
    releases: tuple[ClusterRelease, ...]
    """The versions that were cut anew, above those of the main branch."""
    paths: tuple[Path, ...]
    """All that was resolved or written, cluster files that a person resolved among it."""


def resolve(request: ReleaseRequest) -> Resolution:
    """Take what the main branch has wherever `dist` or a changelog conflicts, and cut it anew.

    A version that both sides cut stays that of the main branch; the other becomes the next one.
    What is rendered of no release yet is left to a synth.

    Raises DistError where git knows no main branch, where a cluster file still conflicts, and what
    cutting a version raises.
    """
    clusters, dist, changelogs = request.clusters, request.dist, request.changelogs
    main = MainBranch(dist, request.main_branch).commit
    if main is None:
        raise DistError(f"{dist}: conflicts are resolved by the main branch, and git has none")
    _check_cluster_files(clusters)
    entries = tuple(dict.fromkeys(_version_or_file(path) for path in main.checkout.conflicts(dist)))
    logs = main.checkout.conflicts(changelogs)
    replace_entries(dist, {each: _entry_on(main, dist / each) for each in entries})
    write_files(
        changelogs, {changelogs / each: main.read(changelogs / each) or b"" for each in logs}
    )
    names = {*(each.partition("/")[0] for each in entries), *(Path(each).stem for each in logs)}
    cut = tuple(_cut_anew(replace(request, is_merging=True), sorted(names)))
    taken = (*(dist / each for each in entries), *(changelogs / each for each in logs))
    by_hand = (clusters / each for each in main.checkout.conflicts(clusters))
    return Resolution(
        taken=(
            *(f"{dist.name}/{each}" for each in entries),
            *(f"{changelogs.name}/{each}" for each in logs),
        ),
        releases=tuple(each for releases, _ in cut for each in releases),
        paths=(*by_hand, *taken, *(path for _, paths in cut for path in paths)),
    )


def add_to_merge(dist: Path, resolution: Resolution, rendered: SynthReport) -> None:
    """Stage the resolved and rendered files."""
    changes = (*(each.changes for each in rendered.clusters), rendered.fleet)
    paths = {
        *resolution.paths,
        *(dist / path for each in changes for path in (*each.added, *each.changed, *each.removed)),
    }
    kept, gone = (
        [str(each.absolute()) for each in paths if each.exists() is here] for here in (True, False)
    )
    checkout = Checkout(dist)
    if kept:
        checkout.run("add", "--all", "--", *kept)
    if gone:
        checkout.run("rm", "--cached", "-r", "--quiet", "--ignore-unmatch", "--", *gone)


def _check_cluster_files(clusters: Path) -> None:
    """Raise DistError for a cluster file with conflict markers."""
    for file in sorted(clusters.glob(f"*{SUFFIX}")):
        if faults := read_source(file, str(file)).faults:
            raise DistError(f"{faults[0]}; then run gpuplane synth --resolve again")


def _version_or_file(path: str) -> str:
    """Return the folder of the version that a path below `dist` is in, or a file beside it."""
    return "/".join(path.split("/")[:2])


def _entry_on(main: Commit, path: Path) -> Entry:
    return main.read(path) or dict(main.tree(path)) or None


def _cut_anew(
    request: ReleaseRequest, names: list[str]
) -> Iterator[tuple[tuple[ClusterRelease, ...], tuple[Path, ...]]]:
    """Yield what is cut, and the paths that were written for it."""
    declared = {file.stem for file in list_cluster_files(request.clusters).clusters}
    for name in filter(declared.__contains__, names):
        version = ClusterSnapshot(WorkTree(), request.clusters, request.dist, name).declared.version
        if version is None or is_prerelease(version):
            continue
        try:
            plan = plan_release(replace(request, names=(name,)))
        except NothingToCutError:
            continue
        yield plan.releases, release(plan)
