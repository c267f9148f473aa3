"""Plans a change over the fleet, from the versions that are rendered at a base and here."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from charts_py.cluster_file.cluster import FailOn
from charts_py.cluster_file.cluster_files import FLEET_FILE, ClusterFiles, list_cluster_files
from charts_py.cluster_file.gitops import ARGOCD_NAMESPACE
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.plan.allocation_change import NO_CHANGE, AllocationChange, allocation_change
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.effects.rule_settings import declared_settings
from gpuplane.plan.outage import Outage, PoolNodes, outages, part_of, pool_nodes
from gpuplane.plan.pin_change import (
    FOLDER,
    PinChange,
    PinnedSide,
    PinRecord,
    pin_changes,
    records_of,
)
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Rollout
from gpuplane.plan.running_nodes import RunningNodes, check_counted_pools
from gpuplane.plan.version_bump import version_bump
from gpuplane.plan.version_platform import NotKnown, version_platform
from gpuplane.plan.workload_impact import WorkloadImpact, workload_impact
from gpuplane.reports.cost.cost_statement import CostComparison, compare, cost_statement
from gpuplane.versions.comparison import ComparedSide, Comparison, DiffRequest, comparisons
from gpuplane.versions.difference import PlacedDocuments, VersionReader, objects_of
from gpuplane.versions.git import named_commit
from gpuplane.versions.record import ReleaseRecord
from gpuplane.versions.snapshot import ClusterSnapshot, Snapshot, WorkTree
from policies.settings_json import SettingsError


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A request for a plan."""

    clusters: Path
    """The folder of the cluster files."""
    dist: Path
    today: dt.date
    """Decides which exceptions to rules have expired."""
    names: tuple[str, ...] = ()
    """The names of the clusters to plan; all without any."""
    base: str | None = None
    """The git reference to compare with; None compares live versions with rendered ones."""
    running: RunningNodes = field(default_factory=dict)
    exported: RunningNodes = field(default_factory=dict)
    """Nodes of an export, unless `running` has another number."""
    workloads: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    """Workloads that run, by cluster, where somebody listed them."""

    @property
    def nodes(self) -> RunningNodes:
        return {**self.exported, **self.running}


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a comparison, as far as it is known."""

    documents: PlacedDocuments
    platform: Platform | NotKnown | None
    record: ReleaseRecord | None

    @property
    def platforms(self) -> tuple[Platform, ...]:
        return (self.platform,) if isinstance(self.platform, Platform) else ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the platform is not known."""
        return (self.platform.reason,) if isinstance(self.platform, NotKnown) else ()


_Sides: TypeAlias = tuple[_Side, _Side]


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
        if (made := _plan_cluster(request, each, here, records)).has_any
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
    """Say whether an object differs, or what the cluster file declares."""
    sides = comparison.old, comparison.new
    if comparison.old.tree != comparison.new.tree:
        return True
    records = (side.snapshot.record(side.version) for side in sides)
    return len({record and record.spec_digest for record in records}) > 1


def _plan_cluster(
    request: PlanRequest,
    comparison: Comparison,
    here: Mapping[str, Platform],
    records: Iterable[PinRecord],
) -> ClusterPlan:
    """Return what the difference does to its cluster.

    `here` are clusters as their files on the disk have them, by name, and `records` those of pins
    in the platform repository.
    """
    found = ClusterPlan(
        comparison.cluster, comparison.subject, comparison.old.version, comparison.new.version
    )
    if found.new is None:
        left = objects_of(comparison.old.tree, comparison.old.file_name)
        return replace(found, let_go=len(left))
    cluster = here.get(found.cluster)
    reader = VersionReader()
    sides = _side(comparison.old, cluster, reader), _side(comparison.new, cluster, reader)
    found = _with_objects(found, sides, request, cluster)
    found = replace(found, pins=_pins(sides, records))
    impact, unread = _impact(request, found.cluster, sides)
    return replace(
        found,
        cost=_cost(sides),
        allocations=_allocations(sides),
        kubernetes=_kubernetes(sides),
        bump=version_bump(found.old, found.new, found.verdict),
        workloads=impact,
        fail_on=cluster.cluster.plan.fail_on if cluster else FailOn.NEVER,
        argocd_namespace=_argocd_namespace(sides),
        not_known=(*dict.fromkeys(why for side in sides for why in side.reasons), *unread),
    )


def _side(side: ComparedSide, here: Platform | None, reader: VersionReader) -> _Side:
    documents = reader.objects_of(side.tree, side.file_name)
    return _Side(documents, version_platform(side, here), side.snapshot.record(side.version))


def _pins(sides: _Sides, records: Iterable[PinRecord]) -> tuple[PinChange, ...]:
    old, new = (PinnedSide(side.documents, side.record) for side in sides)
    return tuple(pin_changes(old, new, records))


def _with_objects(
    plan: ClusterPlan, sides: _Sides, request: PlanRequest, here: Platform | None
) -> ClusterPlan:
    old, new = sides
    # Where neither version is known, the cluster file as it is comes nearest.
    known = (*old.platforms, *new.platforms, *((here,) if here else ()))
    objects = tuple(sorted(planned_objects(old.documents, new.documents), key=_weight))
    sized = tuple(_sized(request, plan.cluster, objects, known))
    reached = {rollout.pool for each in objects for rollout in each.rollouts}
    found = (replace(each, successor=_successor(each, sides)) for each in outages(sized))
    return replace(
        plan,
        objects=objects,
        outages=tuple(sorted(found, key=_size)),
        unsized=tuple(sorted(reached - {pool.pool for _, pool in sized})),
    )


def _successor(outage: Outage, sides: _Sides) -> str | None:
    """Return the pool that may have as many nodes of the same machines in place of those that go.

    It is the pool itself where only a part of it goes, or a new one, as where a pool is renamed.
    """
    before, after = (next(iter(side.platforms), None) for side in sides)
    if not outage.removes_nodes or before is None or after is None:
        return None
    old = {pool.name: pool for pool in before.pools}
    gone = old.get(outage.rollout.pool)
    if gone is None:
        return None
    others = old.keys() - {gone.name}
    return next(
        (
            pool.name
            for pool in after.pools
            if pool.name not in others
            and (pool.hardware, pool.spec.purchase) == (gone.hardware, gone.spec.purchase)
            and pool.spec.nodes.max >= gone.spec.nodes.max
        ),
        None,
    )


def _weight(planned: PlannedObject) -> tuple[object, ...]:
    """Order by verdict, the worst first, and then by place."""
    return (-planned.verdict, planned.placed)


def _sized(
    request: PlanRequest,
    cluster: str,
    objects: Iterable[PlannedObject],
    platforms: tuple[Platform, ...],
) -> Iterator[tuple[Rollout, PoolNodes]]:
    """Yield each rollout with the size of its pool, as it is or will be, where that is known."""
    rollouts = tuple(dict.fromkeys(way for each in objects for way in each.rollouts))
    for rollout in rollouts:
        nodes = pool_nodes(cluster, rollout.pool, request.nodes, *platforms)
        if nodes is not None:
            yield rollout, part_of(nodes, rollout.nodes, _others(rollout, rollouts))


def _others(rollout: Rollout, rollouts: Iterable[Rollout]) -> Iterator[int | None]:
    """Yield the nodes of the other objects that make nodes of its pool, each once."""
    made = {each.made_by: each.nodes for each in rollouts if each.pool == rollout.pool}
    yield from (nodes for name, nodes in made.items() if name != rollout.made_by)


def _size(outage: Outage) -> tuple[object, ...]:
    """Order by the GPUs that are out, then by those that are reached, the most first."""
    out, all_gpus = outage.gpus_out, outage.gpus
    return (-(out.high or 0), -(all_gpus.high or 0), outage.place, outage.rollout.mechanism)


def _argocd_namespace(sides: _Sides) -> str:
    """Return the namespace of the synced Applications."""
    found = (placed.key for side in sides for placed in side.documents)
    return next((key.namespace for key in found if key.kind == "Application"), ARGOCD_NAMESPACE)


def _cost(sides: _Sides) -> CostComparison | None:
    """Return None where a side is not known."""
    if any(side.reasons for side in sides):
        return None
    before, after = (cost_statement(side.platforms) for side in sides)
    return compare(before, after)


def _kubernetes(sides: _Sides) -> tuple[str, str] | None:
    """Return the minors of Kubernetes of both sides, where they differ."""
    found = tuple(each.cluster.kubernetes for side in sides for each in side.platforms)
    return (found[0], found[1]) if len(set(found)) > 1 else None


def _allocations(sides: _Sides) -> AllocationChange:
    if any(side.reasons for side in sides):
        return NO_CHANGE
    before, after = (next(iter(side.platforms), None) for side in sides)
    return allocation_change(before, after)


def _impact(
    request: PlanRequest, cluster: str, sides: _Sides
) -> tuple[WorkloadImpact | None, tuple[str, ...]]:
    """Return what the listed workloads would meet, or why that is not known."""
    workloads = request.workloads.get(cluster)
    if workloads is None:
        return None, ()
    try:
        before, after = (declared_settings(side.documents) for side in sides)
    except SettingsError as error:
        return None, (f"What {cluster}'s workloads would meet is not known: {error}.",)
    if before is None or after is None:
        why = "one of the versions renders no settings of the rules"
        return None, (f"What {cluster}'s workloads would meet is not known: {why}.",)
    return workload_impact(workloads, before, after, request.today), ()
