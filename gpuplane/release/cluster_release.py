"""The version that is cut of one cluster."""

from dataclasses import dataclass
from pathlib import Path

from semver import Version

from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.cluster_file.source import source_of
from gpuplane.plan.effect import Verdict
from gpuplane.plan.kubernetes_upgrade import upgraded
from gpuplane.plan.object_change import ChangeContext
from gpuplane.plan.pin_change import FOLDER, PinnedSide, pin_changes, records_of
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.version_bump import Step, asked_step, previous_release, raised, released_versions
from gpuplane.release.live_history import live_at
from gpuplane.release.rules import declared_rules
from gpuplane.release.scalar_edit import has_value, with_live, with_value
from gpuplane.versions.comparison import ObjectDifference, VersionReader, diff_documents
from gpuplane.versions.live_versions import live_version
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import ReleaseRecord
from gpuplane.versions.rendering import RenderedCluster, Sources, render_source
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree, comparable
from gpuplane.versions.tree import DistError, Tree, compare


class ReleaseError(DistError):
    """Why a version cannot be cut; the message names the cluster, the reason and the remedy."""


class NothingToCutError(ReleaseError):
    """Nothing differs from the version before."""


@dataclass(frozen=True, slots=True)
class ClusterRelease:
    """The version that is cut of one cluster."""

    file: Path
    text: str
    """What it holds with the version."""
    stated: str
    previous: ReleaseRecord | None
    """The released version before; None where there is none."""
    rendered: RenderedCluster
    difference: ObjectDifference
    verdict: Verdict
    """How bad that is for what runs."""
    repository: str

    @property
    def cluster(self) -> str:
        return self.rendered.record.cluster

    @property
    def version(self) -> str:
        return self.rendered.record.version

    @property
    def states_live(self) -> bool:
        """Whether its file says what is live; otherwise the version is that it renders."""
        return has_value(self.text, "live")

    @property
    def live(self) -> str:
        return self.rendered.live or NOT_LIVE


def cut(file: Path, sources: Sources, main_branch: MainBranch, step: Step | None) -> ClusterRelease:
    """Render the version that is to be cut of a cluster file; nothing is written.

    It is raised by the step, or by the one that a plan of the difference asks for.

    Raises ReleaseError where nothing differs from the version before, and what rendering raises.
    """
    text = file.read_bytes().decode()
    before = _rendered(file, text, sources)
    cluster, stated = before.record.cluster, before.record.version
    previous = _previous(cluster, stated, sources.dist, main_branch)
    difference, verdict, asked = _changes(before, previous, sources, main_branch)
    if previous is not None and step is not None and step < asked:
        raise ReleaseError(
            f"{cluster}: --bump {step.word} is less than the {asked.word} step that gpuplane plan "
            f"asks for since {previous}; allowed: {asked.word}, or no --bump"
        )
    needed = previous and raised(previous, step or asked)
    version = release_of(stated, previous, needed)
    while _was_cut(cluster, version, sources.dist, main_branch):
        version = raised(version, step or asked)
    cut_text = _with_version(file, text, version, main_branch, sources)
    return ClusterRelease(
        file=file,
        text=cut_text,
        stated=stated,
        previous=None if previous is None else main_branch.record(cluster, previous),
        rendered=before if cut_text == text else _rendered(file, cut_text, sources),
        difference=difference,
        verdict=verdict,
        repository=before.fleet_member.gitops.repository,
    )


def _previous(cluster: str, stated: str, dist: Path, main_branch: MainBranch) -> str | None:
    """Return the released version before; what is live, where a revert states an earlier one."""
    released = released_versions(main_branch.folders(dist / cluster))
    main = main_branch.commit
    live = None if main is None else live_version(main, dist, cluster)
    if live is not None and live in released:
        stated = max(stated, live, key=Version.parse)
    return previous_release(stated, released)


def _was_cut(cluster: str, version: str, dist: Path, main_branch: MainBranch) -> bool:
    """Say whether a number is used up: the version is here and released, or was pruned or reverted.

    One that others have released since this branch left the main branch is no such number.
    """
    if (dist / cluster / version).is_dir():
        return main_branch.record(cluster, version) is not None
    return main_branch.pruned(cluster, version) is not None


def _changes(
    rendered: RenderedCluster, previous: str | None, sources: Sources, main_branch: MainBranch
) -> tuple[ObjectDifference, Verdict, Step]:
    """Return what differs from the released version before, the worst of it, and the step it asks.

    Raises ReleaseError where nothing differs.
    """
    cluster = rendered.record.cluster
    old: Tree = {}
    new = comparable(rendered.files, cluster, rendered.record.version)
    if previous is not None:
        released = main_branch.tree(sources.dist / cluster / previous)
        old = comparable(released, cluster, previous)
        if not compare(old, new):
            raise NothingToCutError(
                f"{cluster}: nothing differs from {previous}, so there is no version to cut"
            )
    reader = VersionReader()
    record = None if previous is None else main_branch.record(cluster, previous)
    before = PinnedSide(reader.objects_of(old), record)
    after = PinnedSide(reader.objects_of(new), rendered.record)
    records = records_of(sources.dist.parent / FOLDER)
    changed = planned_objects(before.documents, after.documents, ChangeContext(records))
    reached = (*changed, *upgraded(record, after))
    pins = () if record is None else tuple(pin_changes(before, after, records))
    verdicts = (*(each.verdict for each in reached), *(each.verdict for each in pins))
    worst = max(verdicts, default=Verdict.SAFE)
    difference = diff_documents(before.documents, after.documents)
    return difference, worst, asked_step(reached, pins)


def _rendered(file: Path, text: str, sources: Sources) -> RenderedCluster:
    return render_source(file, source_of(text.encode(), str(file)), sources)


def _with_version(
    file: Path, text: str, version: str, main_branch: MainBranch, sources: Sources
) -> str:
    """Return the text of a cluster file with a version.

    A cluster of a chain goes live in a step of its own, so that what is live is then written down.
    """
    changed = with_value(file, text, "version", version)
    rules = declared_rules(WorkTree(), file.parent, file.stem)
    main = main_branch.commit
    here = ClusterSnapshot(WorkTree(), file.parent, sources.dist, file.stem)
    if file.stem not in rules.chain or main is None or here.states_live:
        return changed
    live, _ = live_at(main, sources.dist, file.stem)
    return with_live(file, changed, live) if live else changed


def release_of(stated: str, previous: str | None, needed: str | None) -> str:
    """Return the version to cut from that of a cluster file.

    A pre-release loses its suffix, and a released one is raised to what is needed after it. What a
    pre-release promises too little is raised to what is needed as well.
    """
    offered = str(Version.parse(stated).finalize_version())
    if previous is None or needed is None:
        return offered
    if stated == previous:
        return needed
    return max(offered, needed, key=Version.parse)
