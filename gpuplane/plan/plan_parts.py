"""Makes the parts of a plan for a cluster, however it is printed."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from charts_py.cluster_file.fault import counted
from charts_py.objects.document import ObjectKey
from gpuplane.plan.allocation_change import allocation_part
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.fields import kind_of
from gpuplane.plan.kubernetes_upgrade_part import kubernetes_part
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.part import Part, reported_objects
from gpuplane.plan.pin_change import PinChange, PinKind
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.pools import AKS_POOL, GKE_POOL, NODE_POOL
from gpuplane.plan.refused_pools import refused_pools_part
from gpuplane.plan.removed_pool import removed_pool_part
from gpuplane.plan.restart_words import restart_clauses
from gpuplane.plan.version_bump import Step, VersionBump
from gpuplane.plan.workload_impact import WorkloadImpact
from gpuplane.reports.cost.cost_item import View
from gpuplane.reports.cost.cost_report import budget_change_notes, change_table, comparison_notes
from gpuplane.tables import Table
from gpuplane.versions.base import Base

_HOLDERS = (
    NODE_POOL,
    GKE_POOL,
    AKS_POOL,
    "CustomResourceDefinition.apiextensions.k8s.io",
    "PersistentVolumeClaim",
)
"""Nodes, objects or data go with objects of these kinds, so that no command deletes them; the
reasons say what to do instead."""
_NEW, _QUIET = "new", "only labels, dashboards or alerts"
_VIEWS = (View.POOL, View.TEAM, View.TOTAL)
_UNRECORDED = {
    PinKind.CHART: (
        "No record says what {old} to {new} changes, so it counts as rolling at least: read "
        "its release notes."
    ),
    PinKind.DRIVER: (
        "No record says what {old} to {new} changes: read its release notes. How it reaches the "
        "nodes is listed with what installs it."
    ),
    PinKind.CRDS: (
        "Objects are validated against the new definitions; whoever runs the operator that they "
        "belong to applies them. No record says what they change."
    ),
}


def parts(plan: ClusterPlan, base: Base | None) -> Iterator[Part]:
    """Yield the parts: removals, other changes, and their consequences."""
    if plan.removed:
        yield _removed(plan, base)
    yield from removed_pool_part(plan.cluster, plan.removed_pools, is_later=plan.is_later)
    yield from outage_part(plan.outages, plan.unsized)
    yield from _components(plan)
    yield from allocation_part(plan.cluster, plan.allocations, plan.held_namespaces)
    yield from _cost_part(plan, base)
    has_webhook = plan.asked is None or plan.asked.cluster.admission.has_webhook
    yield from refused_pools_part(plan.remade, has_webhook=has_webhook)
    for change in plan.pins:
        title = f"{change.pin}: {change.old} to {change.new}"
        yield Part(title, notes=tuple(_pin_notes(change)))
    yield from _workload_part(plan)
    yield from kubernetes_part(plan)
    yield from _version(plan)
    listed = [each for each in plan.kept if _is_listed(each)]
    # Somebody may ask about the safe ones.
    if safe := [each for each in listed if each.verdict is Verdict.SAFE]:
        title = f"Safe: {counted(len(safe), 'changed object')}"
        yield Part(title, tuple(reported_objects(safe)), is_detail=True)
    yield from _counted([each for each in plan.kept if not _is_listed(each)], _diff(plan, base))


def _removed(plan: ClusterPlan, base: Base | None) -> Part:
    held = [each.placed.component for each in plan.removed if each.is_held]
    commands = tuple(
        f"kubectl annotate application {shlex.quote(f'{plan.cluster}-{component}')} "
        f"-n {shlex.quote(plan.argocd_namespace)} --overwrite "
        'argocd.argoproj.io/deletion-approved="$(date -u +%FT%TZ)"'
        for component in sorted(set(held))
    )
    note = (
        f"{len(held)} of these {'waits' if len(held) == 1 else 'wait'} until a person confirms, "
        "once the rest is synced; the Application's other prunes wait with it."
    )
    return Part(
        "Deletions and prunes",
        tuple(reported_objects(each for each in plan.removed if not each.is_implied)),
        notes=(*((note,) if held else ()), *_implied(plan.removed)),
        commands=commands or (_diff(plan, base),),
    )


def _implied(removed: Iterable[PlannedObject]) -> Iterator[str]:
    """Say what goes with each namespace, by kind."""
    found: dict[str, Counter[str]] = {}
    for each in removed:
        if each.is_implied:
            found.setdefault(each.placed.key.namespace, Counter())[each.placed.key.kind] += 1
    for namespace, kinds in sorted(found.items()):
        yield f"With the namespace {namespace} goes what it has: {_kinds(kinds)}."


def _kinds(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def _components(plan: ClusterPlan) -> Iterator[Part]:
    """Yield the components in which something is worse than safe, the worst first.

    Those below the verdict of the cluster are details.
    """
    unsafe = [each for each in plan.kept if each.verdict > Verdict.SAFE]
    for name in dict.fromkeys(each.placed.component for each in unsafe):
        objects = tuple(each for each in unsafe if each.placed.component == name)
        worst = max(each.verdict for each in objects)
        refused = (each for each in objects if each.verdict is Verdict.IMMUTABLE)
        deleted = [each.placed.key for each in refused if kind_of(each.placed.key) not in _HOLDERS]
        notes = ("What is deleted is created again by the next sync.",) if deleted else ()
        commands = tuple(map(_deletion, deleted))
        # What the worst verdict rests on is seen first.
        is_detail = worst < plan.verdict
        title = f"{name}: {worst.word}"
        title += f", {counted(len(objects), 'object')}" if is_detail else ""
        listed = tuple(reported_objects(objects))
        yield Part(title, listed, (), notes, commands, is_detail=is_detail)


def _deletion(key: ObjectKey) -> str:
    named = (kind_of(key), key.name)
    place = f" --namespace {shlex.quote(key.namespace)}" if key.namespace else ""
    # A name of RBAC may begin with a dash, as an option does.
    if any(each.startswith("-") for each in named):
        return f"kubectl delete{place} -- {shlex.join(named)}"
    return f"kubectl delete {shlex.join(named)}{place}"


def _cost_part(plan: ClusterPlan, base: Base | None) -> Iterator[Part]:
    """Yield the changes of a month's cost by pool, by team and in all."""
    if plan.cost is None:
        return
    changes = [each for each in plan.cost.changes if each.view in _VIEWS and each.difference]
    first = tuple(budget_change_notes(plan.cost.budgets))
    if not changes and not first:
        return
    commands = (shlex.join(("gpuplane", "cost", plan.cluster, *base.arguments)),) if base else ()
    # The command says why a price is not known.
    notes = (*first, next(comparison_notes(plan.cost.unpriced)))
    yield Part("Cost", (), (change_table(changes),), notes, commands, is_detail=not first)


def _pin_notes(change: PinChange) -> Iterator[str]:
    if change.rollout is None:
        yield _UNRECORDED[change.pin.kind].format(old=change.old, new=change.new)
        return
    yield change.rollout
    yield from (f"{each.verdict.word.capitalize()}: {each.what}" for each in change.changes)
    yield f"Compared: {', '.join(change.sources)}."


def _workload_part(plan: ClusterPlan) -> Iterator[Part]:
    if plan.workloads is None:
        return
    refused = plan.workloads.refused
    rows = tuple((each.workload, each.rule, each.message) for each in refused)
    tables = (Table(("Newly refused", "Rule", "Why"), rows, words=3),) if rows else ()
    short = (each for each in plan.restarts if each.is_offered)
    waits = (f"{clause}." for clause in restart_clauses(plan.cluster, short))
    yield Part("Workloads", (), tables, (*_workload_notes(plan.workloads), *waits))


def _workload_notes(impact: WorkloadImpact) -> Iterator[str]:
    refused = len({each.workload for each in impact.refused})
    yield (
        f"Rules would refuse {refused} of {impact.read} workloads, admitted now, when their pods "
        "start again."
    )
    if impact.refused_already:
        verb = "is" if impact.refused_already == 1 else "are"
        yield f"{impact.refused_already} {verb} refused already, whatever changes."
    for loss in impact.resources:
        verb = "asks" if len(loss.workloads) == 1 else "ask"
        yield f"No pool offers {loss.name} any more; {', '.join(loss.workloads)} {verb} for it."
    for loss in impact.pools:
        yield f"Pool {loss.name} is gone, the only one for {', '.join(loss.workloads)}."


def _version(plan: ClusterPlan) -> Iterator[Part]:
    bump = plan.bump
    if bump is None:
        return
    nobody = ", and nobody has to act" if _asks_nobody(plan, bump) else ""
    worst = f"The worst verdict is {plan.verdict.word}{nobody}, which"
    why = f"{worst if bump.old == plan.old else f'What is new since {bump.old}'} needs a "
    why += f"{bump.asked.word} version"
    remedy = "" if bump.is_enough else f" Set version: {bump.least} or higher."
    yield Part("Version", notes=(f"{why}; {_declared(bump)}.{remedy}",), is_detail=bump.is_enough)


def _asks_nobody(plan: ClusterPlan, bump: VersionBump) -> bool:
    """Say whether a smaller step is enough than the verdict asks for otherwise."""
    effects = (effect for one in plan.reached for effect in one.effects)
    is_asked = plan.verdict > Verdict.ROLLING and bump.asked is Step.MINOR
    return is_asked and any(each.asks_nobody for each in effects if each.verdict is plan.verdict)


def _declared(bump: VersionBump) -> str:
    if bump.declared:
        return f"{bump.old} to {bump.new} is a {bump.declared.word} one"
    if bump.old == bump.new:
        return f"the version stays {bump.new}"
    return f"{bump.old} and {bump.new} lead to the same version"


def _counted(left: Sequence[PlannedObject], command: str) -> Iterator[Part]:
    """Yield the counts of safe new objects and of noise, which no part lists."""
    if left:
        title = f"Not listed: {counted(len(left), 'safe object')}"
        yield Part(title, notes=tuple(_counts(left)), commands=(command,), is_detail=True)


def _counts(left: Iterable[PlannedObject]) -> Iterator[str]:
    counted: dict[tuple[str, str], Counter[str]] = {}
    for each in left:
        how = _NEW if each.change is Change.ADDED else _QUIET
        kinds = counted.setdefault((each.placed.component, how), Counter())
        kinds[each.placed.key.kind] += 1
    for (component, how), kinds in sorted(counted.items()):
        yield f"{component}, {how}: {_kinds(kinds)}."


def _is_listed(planned: PlannedObject) -> bool:
    if planned.verdict > Verdict.SAFE:
        return True
    return planned.change is Change.CHANGED and not planned.is_noise


def _diff(plan: ClusterPlan, base: Base | None) -> str:
    return shlex.join(("gpuplane", "diff", plan.cluster, *(base.arguments if base else ())))
