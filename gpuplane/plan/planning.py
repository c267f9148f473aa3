"""From what is rendered at a base and here to what the change does, over the fleet."""

from collections.abc import Collection

from charts_py.cluster_file.cluster_files import FLEET_FILE, ClusterFiles, list_cluster_files
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.plan.cluster_planning import plan_cluster
from gpuplane.plan.outage.counted_pools import check_counted_pools
from gpuplane.plan.pins.pin_record import FOLDER, records_of
from gpuplane.plan.plan import Plan
from gpuplane.plan.plan_request import PlanRequest
from gpuplane.versions.cluster_snapshot import ClusterSnapshot
from gpuplane.versions.commit import named_commit
from gpuplane.versions.comparison import Comparison, DiffRequest, comparisons
from gpuplane.versions.snapshot import Snapshot, WorkTree


def plan(request: PlanRequest) -> Plan:
    """Return what a change does to clusters.

    Raises DistError for an unknown cluster or reference, for nodes of a pool that no side has or of
    a cluster that is not planned, and for a version on the disk that is not as it was rendered,
    SpecError for a cluster file or a record of a pin here that is wrong, GitError where git cannot
    answer.
    """
    names = request.names or _all_names(request)
    compared = {name: _comparisons(request, name) for name in names}
    found = {name: tuple(filter(_differs, every)) for name, every in compared.items()}
    counted = [cluster for cluster, _ in request.running if cluster in compared]
    here = _platforms_here(request, [*(name for name, every in found.items() if every), *counted])
    check_counted_pools(request.running, compared, here)
    records = records_of(request.clusters.parent / FOLDER)
    plans = [
        made
        for every in found.values()
        for each in every
        if (made := plan_cluster(request, each, here, records)).has_any
    ]
    changed = {each.cluster for each in plans}
    return Plan(
        base=request.base,
        clusters=tuple(sorted(plans, key=lambda each: (each.is_later, -each.verdict))),
        unchanged=tuple(name for name in found if name not in changed),
    )


def _platforms_here(request: PlanRequest, names: Collection[str]) -> dict[str, Platform]:
    """Return clusters as their files on the disk have them, by name."""
    files = list_cluster_files(request.clusters)
    chosen = tuple(file for file in files.clusters if file.stem in names)
    platforms = load_platforms(ClusterFiles(files.fleet, chosen))
    return {platform.name: platform for platform in platforms}


def _all_names(request: PlanRequest) -> tuple[str, ...]:
    """Return the clusters of either side, sorted."""
    sides: list[Snapshot] = [WorkTree()]
    if request.base is not None:
        sides.append(named_commit(request.clusters.parent, request.base))
    names = {file.stem for file in request.clusters.glob("*.yaml") if file.name != FLEET_FILE}
    for side in sides:
        names.update(ClusterSnapshot(side, request.clusters, request.dist, "").rendered_clusters)
    return tuple(sorted(names))


def _comparisons(request: PlanRequest, name: str) -> tuple[Comparison, ...]:
    asked = DiffRequest(request.clusters, request.dist, name, base=request.base)
    return tuple(comparisons(asked))


def _differs(comparison: Comparison) -> bool:
    """Return whether an object differs, or else what the cluster file states."""
    sides = comparison.old, comparison.new
    if comparison.old.tree != comparison.new.tree:
        return True
    records = (side.snapshot.record(side.version) for side in sides)
    return len({record and record.spec_digest for record in records}) > 1
