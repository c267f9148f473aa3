"""Plans a change over the fleet, from the versions that are rendered at a base and here."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from charts_py.cluster_file.cluster import FailOn
from charts_py.cluster_file.cluster_files import (
    FLEET_FILE,
    SUFFIX,
    ClusterFiles,
    list_cluster_files,
)
from charts_py.cluster_file.gitops import ARGOCD_NAMESPACE
from charts_py.constructs.platform_warning import placeholders_left
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.plan.allocation_change import NO_CHANGE, AllocationChange, allocation_change
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.effects.rule_settings import in_tree_rules
from gpuplane.plan.increment import NOTHING_IDLE, never_promoted
from gpuplane.plan.kubernetes_upgrade import kubernetes_upgrade
from gpuplane.plan.new_pools import on_new_cluster
from gpuplane.plan.object_change import ChangeContext
from gpuplane.plan.outage import Outage, PoolNodes, by_size, outages, sized_rollouts
from gpuplane.plan.pin_change import FOLDER, PinRecord, pin_changes, records_of
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.planned_side import PlannedSide, Sides, as_it_runs, live_side, planned_sides
from gpuplane.plan.refused_pools import remade_pools
from gpuplane.plan.removed_pool import removed_pools, successor_of
from gpuplane.plan.restart import Restart, restarts
from gpuplane.plan.restart_effects import with_restarts, with_unplaceable
from gpuplane.plan.rollout import Rollout
from gpuplane.plan.running_nodes import RunningNodes, check_counted_pools
from gpuplane.plan.unmet_checks import unmet_checks
from gpuplane.plan.unplugged_nodes import unplugged_nodes
from gpuplane.plan.version_bump import VersionBump, asked_step, bump_since_release, version_bump
from gpuplane.plan.workload_impact import known_impact
from gpuplane.reports.cost.cost_statement import CostStatement, compare, cost_statement
from gpuplane.versions.base import Base
from gpuplane.versions.comparison import (
    Comparison,
    DiffRequest,
    Subject,
    VersionReader,
    cluster_names,
    comparisons,
    diff_documents,
)
from gpuplane.versions.edited_clusters import edited_clusters
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import is_prerelease
from gpuplane.versions.snapshot import WorkTree

_POLICY_KINDS = ("ValidatingAdmissionPolicy", "MutatingAdmissionPolicy")


@dataclass(frozen=True, slots=True)
class PlanRequest:
    clusters: Path
    dist: Path
    today: dt.date
    """Decides which exceptions to rules have expired."""
    names: tuple[str, ...] = ()
    base: Base | None = None
    """What to compare with; None compares live versions with rendered ones."""
    here: WorkTree = field(default_factory=WorkTree)
    """The new side: the disk, or also what cluster files render that were edited since."""
    running: RunningNodes = field(default_factory=dict)
    exported: RunningNodes = field(default_factory=dict)
    """Nodes of an export, unless `running` has another number."""
    workloads: Mapping[str, Sequence[Document]] = field(default_factory=dict)

    @property
    def nodes(self) -> RunningNodes:
        return {**self.exported, **self.running}


def plan_change(request: PlanRequest) -> Plan:
    """Return what a change does, from the main branch on where the request has no base.

    Where nothing differs from that, the plan is what a promotion would do of what waits for it.
    Raises what `plan` does.
    """
    base = None if request.base else MainBranch(request.clusters).base
    if base is None:
        return plan(request)
    since = plan(replace(request, base=base))
    waiting = None if since.clusters or since.edits else plan(request)
    return waiting if waiting and waiting.clusters else since


def plan(request: PlanRequest) -> Plan:
    """Return what a change does to clusters.

    Raises DistError for an unknown cluster or reference, for nodes of a pool that no side has or of
    a cluster that is not planned, and for a version on the disk that is not as it was rendered,
    SpecError for a cluster file or a record of a pin here that is wrong, GitError where git cannot
    answer.
    """
    asked = DiffRequest(request.clusters, request.dist, "", base=request.base, here=request.here)
    compared = {
        name: tuple(comparisons(replace(asked, cluster=name)))
        for name in cluster_names(asked, request.names)
    }
    found = {name: tuple(filter(_differs, every)) for name, every in compared.items()}
    here = _platforms_here(request, compared)
    check_counted_pools(request.running, compared, here)
    records = records_of(request.clusters.parent / FOLDER)
    plans = [
        made
        for every in found.values()
        for each in (_as_promoted(one, request) for one in every)
        if (made := _plan_cluster(request, each, here.get(each.cluster), records)).has_any
    ]
    changed = {each.cluster for each in plans}
    alike = {} if request.base else _alike(compared, changed)
    edited = edited_clusters(here.values(), request.dist)
    return Plan(
        base=request.base,
        clusters=tuple(sorted(plans, key=lambda each: (each.is_later, -each.verdict))),
        unchanged=tuple(name for name in found if name not in changed | alike.keys()),
        edited=tuple(name for name in edited if name not in request.here.edited),
        edits=dict(_edits(request, compared)),
        rendered_here=request.here.rendered_here,
        released=request.here.cut,
        alike=tuple(f"{name} {version}" for name, version in alike.items()),
        placeholders=placeholders_left(here.values()),
    )


def _as_promoted(comparison: Comparison, request: PlanRequest) -> Comparison:
    """Return the comparison of what is live with what is not as one of a later promotion."""
    new = comparison.new
    is_compared = request.base is None or comparison.cluster in request.here.cut
    is_later = is_compared and new.version != new.snapshot.declared.live
    return replace(comparison, subject=Subject.RENDERED) if is_later else comparison


def _edits(request: PlanRequest, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the files in clusters/ that differ since the base, each as a unified diff."""
    if request.base is None:
        return
    for name in (FLEET_FILE, *(f"{name}{SUFFIX}" for name in names)):
        file = request.clusters / name
        sides = (side.read(file) for side in (request.base.commit, WorkTree()))
        old, new = ((side or b"").decode(errors="replace").splitlines() for side in sides)
        if lines := [*islice(unified_diff(old, new, n=2, lineterm=""), 2, None)]:
            yield f"{request.clusters.name}/{name}", "\n".join(lines)


def _alike(
    compared: Mapping[str, Iterable[Comparison]], changed: Collection[str]
) -> dict[str, str]:
    """Return the version of each cluster of which the live version is the rendered one."""
    return {
        name: each.new.version
        for name, every in compared.items()
        for each in every
        if each.new.version and each.old.version == each.new.version and name not in changed
    }


def _platforms_here(request: PlanRequest, names: Collection[str]) -> dict[str, Platform]:
    """Return clusters as their files on the disk have them, by name."""
    files = list_cluster_files(request.clusters)
    chosen = tuple(file for file in files.clusters if file.stem in names)
    platforms = load_platforms(ClusterFiles(files.fleet, chosen))
    return {platform.name: platform for platform in platforms}


def _differs(comparison: Comparison) -> bool:
    """Say whether an object differs, or what the cluster file declares."""
    old, new = comparison.old, comparison.new
    records = (side.snapshot.record(side.version) for side in (old, new))
    return old.tree != new.tree or len({record and record.spec_digest for record in records}) > 1


def _plan_cluster(
    request: PlanRequest,
    comparison: Comparison,
    here: Platform | None,
    records: Iterable[PinRecord],
) -> ClusterPlan:
    """Return what the difference does to its cluster.

    `here` is the cluster as its file on the disk has it, and `records` are those of pins in the
    platform repository.
    """
    old, new = comparison.old, comparison.new
    found = ClusterPlan(
        comparison.cluster,
        comparison.subject,
        old.version,
        new.version,
        is_increment=comparison.subject is Subject.RENDERED
        and old.version != new.snapshot.declared.live,
        live=new.snapshot.declared.live,
        values=diff_documents(*comparison.documents()).changed,
        today=request.today,
    )
    if found.new is None:
        return replace(found, let_go=len(VersionReader().objects_of(old.tree, old.file_name)))
    is_edited = comparison.cluster in request.here.edited
    sides, idle = planned_sides(comparison, here, is_edited=is_edited), NOTHING_IDLE
    live = live_side(comparison, here) if found.is_increment else None
    if live is not None:
        documents = (*(side.documents for side in sides), live.documents)
        found = replace(found, objects=tuple(never_promoted(*documents)))
        sides, idle = as_it_runs(sides, live)
    pins = tuple(pin_changes(*sides, records))
    settings = (sides[0].settings, sides[1].settings)
    context = ChangeContext(tuple(records), request.today, settings, idle)
    # How many nodes run is up to what is live; where nothing is known, the cluster file comes
    # nearest.
    sized = [live.platform if live else None, sides[0].platform, sides[1].platform, here]
    known = [platform for platform in sized if platform]
    found = replace(_with_objects(found, sides, request, known, context), pins=pins)
    return replace(
        _with_figures(found, sides, request, live),
        bump=_bump(found, sides[1], comparison, records),
        fail_on=_least([here, sides[0].platform]),
    )


def _with_figures(
    plan: ClusterPlan, sides: Sides, request: PlanRequest, live: PlannedSide | None
) -> ClusterPlan:
    """Return the plan with cost, allocations and workloads, as far as these are known."""
    unknown = [*dict.fromkeys(side.not_known for side in sides if side.not_known)]
    after, asked = plan.after, plan.asked
    remade = tuple(remade_pools(after, asked, plan.refused)) if after and asked else ()
    workloads = request.workloads.get(plan.cluster)
    settings = [(side.documents, side.settings) for side in sides]
    impact = None if workloads is None else known_impact(workloads, settings, request.today)
    if isinstance(impact, str):
        unknown.append(f"What {plan.cluster}'s workloads would meet is not known: {impact}.")
        impact = None
    keys = (placed.key for side in sides for placed in side.documents)
    namespaces = (key.namespace for key in keys if key.kind == "Application")
    is_known = not any(side.not_known for side in sides)
    return replace(
        plan,
        cost=compare(_cost(plan.before), _cost(after)) if is_known else None,
        allocations=_allocations(plan, live) if is_known else NO_CHANGE,
        remade=remade,
        workloads=impact,
        argocd_namespace=next(namespaces, ARGOCD_NAMESPACE),
        not_known=tuple(unknown),
    )


def _allocations(plan: ClusterPlan, live: PlannedSide | None) -> AllocationChange:
    found = allocation_change(plan.before, plan.after)
    if live is None or live.not_known:
        return found
    return found.brought_by(allocation_change(live.platform, plan.after))


def _least(platforms: Iterable[Platform | None]) -> FailOn:
    """Return the least verdict that fails a plan: no change lifts what its base asks for."""
    known = [platform.cluster.plan.fail_on for platform in platforms if platform]
    return min(known, key=[*FailOn].index, default=FailOn.NEVER)


def _bump(
    plan: ClusterPlan, new: PlannedSide, comparison: Comparison, records: Iterable[PinRecord]
) -> VersionBump | None:
    """Return the step from the old version; from the last release before, if that is none.

    What stays live beside another version that is rendered asks for none.
    """
    snapshot, declared = comparison.old.snapshot, comparison.new.snapshot.declared
    if plan.subject is Subject.LIVE and plan.old == plan.new != declared.version:
        return None
    if plan.old is None or plan.new is None or not is_prerelease(plan.old):
        return version_bump(plan.old, plan.new, asked_step(plan.reached, plan.pins))
    return bump_since_release(plan.new, new, snapshot, records)


def _cost(platform: Platform | None) -> CostStatement:
    return cost_statement((platform,) if platform else ())


def _with_objects(
    plan: ClusterPlan,
    sides: Sides,
    request: PlanRequest,
    known: Sequence[Platform],
    context: ChangeContext,
) -> ClusterPlan:
    """Return the plan with its objects; `known` are the clusters that tell the sizes of pools."""
    old, new = sides
    counted = {pool for cluster, pool in request.nodes if cluster == plan.cluster}
    changed = planned_objects(old.documents, new.documents, context, counted)
    if not old.documents and not counted:
        changed = tuple(on_new_cluster(changed))
    planned = [*_with_rules(changed, sides, request.today)]
    rollouts = tuple(dict.fromkeys(way for each in planned for way in each.rollouts))
    sized = tuple(sized_rollouts(rollouts, plan.cluster, request.nodes, known))
    found = [*_outages(planned, sized, sides)]
    short = tuple(
        each
        for each in _restarts(plan.cluster, sides, found, request, known)
        if each.resource not in context.idle.resources
    )
    if old.platform:
        found = [with_unplaceable(each, old.platform, short) for each in found]
        planned = [*with_restarts(planned, found, short, old.platform)]
    gone = removed_pools(old.platform, new.platform, planned, request.nodes, known)
    unplugged = unplugged_nodes(old.platform, new.platform, request.workloads.get(plan.cluster))
    every = [*plan.objects, *planned]
    upgrade = kubernetes_upgrade(plan.cluster, old.record, new, new.platform, known, request.nodes)
    return replace(
        plan,
        before=old.platform,
        asked=new.platform,
        objects=tuple(sorted(every, key=lambda each: (-each.verdict, each.placed))),
        outages=tuple(sorted(found, key=by_size)),
        restarts=short,
        unplugged=tuple(each for each in unplugged if each.pool not in context.idle.pools),
        unsized=tuple(sorted({way.pool for way in rollouts} - {pool.pool for _, pool in sized})),
        upgrade=upgrade,
        removed_pools=tuple(each for each in gone if each.name not in context.idle.pools),
    )


def _outages(
    planned: Iterable[PlannedObject], sized: Iterable[tuple[Rollout, PoolNodes]], sides: Sides
) -> Iterator[Outage]:
    before, after = (side.platform for side in sides)
    planned = tuple(planned)
    held = {way for each in planned if each.is_held for way in each.rollouts}
    effects = (effect for each in planned for effect in each.effects if not effect.is_possible)
    happening = {way for effect in effects for way in effect.rollouts}
    for each in outages(sized):
        found = replace(
            each,
            successor=_successor(each, before, after),
            is_held=each.rollout in held,
            is_possible=each.rollout not in happening,
        )
        if before and after and each.moves_pods:
            found = replace(found, unmet=unmet_checks(each.rollout.pool, before, after))
        yield found


def _restarts(
    cluster: str,
    sides: Sides,
    found: Iterable[Outage],
    request: PlanRequest,
    known: Sequence[Platform],
) -> Iterator[Restart]:
    old, new = (side.platform for side in sides)
    if old and new:
        stopped = {pool.pool for each in found if each.stops_pods for pool in each.pools}
        most = {(cluster, pool.name): pool.spec.nodes.max for pool in known[0].pools}
        listed = request.workloads.get(cluster)
        yield from restarts(old, new, stopped, {**most, **request.nodes}, listed)


def _with_rules(
    planned: Iterable[PlannedObject], sides: Sides, today: dt.date
) -> Iterator[PlannedObject]:
    """Yield the objects; the first policy says what changes of the rules, which it is made from."""
    before, after = (side.platform for side in sides)
    effects = in_tree_rules(before, after, today) if before and after else iter(())
    for each in planned:
        is_policy = each.placed.key.kind in _POLICY_KINDS
        found = tuple(effects) if is_policy else ()
        yield replace(each, effects=(*found, *each.effects)) if found else each


def _successor(outage: Outage, before: Platform | None, after: Platform | None) -> str | None:
    if not outage.removes_nodes or before is None or after is None:
        return None
    return successor_of(outage.rollout.pool, before, after)
