"""Makes the parts of a plan for a cluster, however it is printed."""

from collections import Counter
from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import counted
from charts_py.objects.document import ObjectKey
from gpuplane.plan.allocation_change import allocation_part
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.fields import kind_of
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.part import Part, reported_objects
from gpuplane.plan.pin_change import PinChange, PinKind
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.pools import AKS_POOL, GKE_POOL, NODE_POOL
from gpuplane.plan.version_bump import VersionBump
from gpuplane.plan.workload_impact import Loss, WorkloadImpact
from gpuplane.reports.cost.cost_item import View
from gpuplane.reports.cost.cost_report import budget_change_notes, change_table, comparison_notes
from gpuplane.tables import Table

_HOLDERS = (
    *(NODE_POOL, GKE_POOL, AKS_POOL),
    *("CustomResourceDefinition.apiextensions.k8s.io", "PersistentVolumeClaim"),
)
"""Nodes, objects or data go with objects of these kinds."""
_NEW, _QUIET = "new", "only labels, dashboards or alerts"
_VIEWS = (View.POOL, View.TEAM, View.TOTAL)
_UNRECORDED = {
    PinKind.CHART: (
        "No record says what {old} to {new} changes, so it counts as rolling: read its "
        "release notes."
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


def parts(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield the parts: removals, other changes, and their consequences."""
    if plan.removed:
        yield _removed(plan, base)
    yield from outage_part(plan)
    yield from _components(plan)
    yield from allocation_part(plan.cluster, plan.allocations)
    yield from _cost_part(plan, base)
    yield from _pin_part(plan)
    yield from _workload_part(plan)
    yield from _kubernetes(plan)
    yield from _version(plan)
    yield from _safe(plan)
    yield from _counted(plan, base)


def _removed(plan: ClusterPlan, base: str | None) -> Part:
    held = [each.placed.component for each in plan.removed if each.is_held]
    approvals = (
        f"kubectl annotate application {plan.cluster}-{component} -n {plan.argocd_namespace} "
        'argocd.argoproj.io/deletion-approved="$(date -u +%FT%TZ)"'
        for component in sorted(set(held))
    )
    notes = []
    if held:
        what = "waits" if len(held) == 1 else "wait"
        notes.append(
            f"{len(held)} of these {what} until a person confirms, once the rest is synced; the "
            "Application's other prunes wait with it."
        )
    commands = tuple(approvals) or (_diff(plan, base),)
    removed = tuple(reported_objects(plan.removed))
    return Part("Deletions and prunes", removed, notes=tuple(notes), commands=commands)


def _components(plan: ClusterPlan) -> Iterator[Part]:
    """Yield the components in which something is worse than safe, the worst first."""
    unsafe = [each for each in plan.kept if each.verdict > Verdict.SAFE]
    for name in dict.fromkeys(each.placed.component for each in unsafe):
        objects = tuple(each for each in unsafe if each.placed.component == name)
        worst = max(each.verdict for each in objects)
        refused = tuple(each for each in objects if each.verdict is Verdict.IMMUTABLE)
        deleted = tuple(each.placed.key for each in refused if not _holds_more(each.placed.key))
        notes = ("What is deleted is created again by the next sync.",) if deleted else ()
        commands = tuple(map(_deletion, deleted))
        yield Part(f"{name}: {worst.word}", tuple(reported_objects(objects)), (), notes, commands)


def _holds_more(key: ObjectKey) -> bool:
    """Say whether nodes, data or other objects go with an object, so that no command deletes it.

    The reasons say what to do instead.
    """
    return kind_of(key) in _HOLDERS


def _deletion(key: ObjectKey) -> str:
    place = f" --namespace {key.namespace}" if key.namespace else ""
    return f"kubectl delete {kind_of(key)} {key.name}{place}"


def _cost_part(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield the changes of a month's cost by pool, by team and in all."""
    if plan.cost is None:
        return
    changes = [each for each in plan.cost.changes if each.view in _VIEWS and each.difference]
    first = tuple(budget_change_notes(plan.cost.budgets))
    if not changes and not first:
        return
    commands = (f"gpuplane cost {plan.cluster} --base {base}",) if base else ()
    # The command says why a price is not known.
    notes = (*first, next(comparison_notes(plan.cost.unpriced)))
    yield Part("Cost", (), (change_table(changes),), notes, commands, is_detail=not first)


def _pin_part(plan: ClusterPlan) -> Iterator[Part]:
    for change in plan.pins:
        title = f"{change.pin}: {change.old} to {change.new}"
        yield Part(title, notes=tuple(_pin_notes(change)))


def _pin_notes(change: PinChange) -> Iterator[str]:
    if change.rollout is None:
        yield _UNRECORDED[change.pin.kind].format(old=change.old, new=change.new)
        return
    yield change.rollout
    yield from (f"{each.verdict.word.capitalize()}: {each.what}" for each in change.changes)
    yield f"Compared: {', '.join(change.sources)}."


def _workload_part(plan: ClusterPlan) -> Iterator[Part]:
    if plan.workloads is not None:
        yield Part(
            "Workloads",
            (),
            tuple(_refusals(plan.workloads)),
            tuple(_workload_notes(plan.workloads)),
        )


def _refusals(impact: WorkloadImpact) -> Iterator[Table]:
    if impact.refused:
        rows = tuple((each.workload, each.rule, each.message) for each in impact.refused)
        yield Table(("Newly refused", "Rule", "Why"), rows, words=3)


def _workload_notes(impact: WorkloadImpact) -> Iterator[str]:
    refused = len({each.workload for each in impact.refused})
    yield (
        f"{refused} of {impact.read} workloads are admitted now and would be refused when their "
        "pods start again; pods that run are not touched."
    )
    if impact.refused_already:
        verb = "is" if impact.refused_already == 1 else "are"
        yield f"{impact.refused_already} {verb} refused already, whatever changes."
    for loss in impact.resources:
        yield f"No pool offers {loss.name} any more; {_askers(loss)}."
    for loss in impact.pools:
        yield f"Pool {loss.name} is gone, the only one for {', '.join(loss.workloads)}."


def _askers(loss: Loss) -> str:
    verb = "asks" if len(loss.workloads) == 1 else "ask"
    return f"{', '.join(loss.workloads)} {verb} for it"


def _kubernetes(plan: ClusterPlan) -> Iterator[Part]:
    if plan.kubernetes is None:
        return
    old, new = plan.kubernetes
    note = (
        f"What is rendered is for {new}, and was for {old}. Merging it upgrades neither the "
        "control plane nor a node: bring the cluster to that version first, since it may not "
        "know all that is rendered."
    )
    yield Part("Kubernetes", notes=(note,))


def _version(plan: ClusterPlan) -> Iterator[Part]:
    bump = plan.bump
    if bump is None:
        return
    why = f"The worst verdict is {plan.verdict.word}, which asks for a {bump.asked.word} step"
    remedy = "" if bump.is_enough else f" Set version: {bump.least} or higher."
    yield Part("Version", notes=(f"{why}; {_declared(bump)}.{remedy}",), is_detail=bump.is_enough)


def _declared(bump: VersionBump) -> str:
    if bump.declared:
        return f"{bump.old} to {bump.new} is a {bump.declared.word} one"
    if bump.old == bump.new:
        return f"the version stays {bump.new}"
    return f"{bump.old} and {bump.new} lead to the same version"


def _safe(plan: ClusterPlan) -> Iterator[Part]:
    """Yield the safe changes that somebody may ask about."""
    safe = [each for each in plan.kept if each.verdict is Verdict.SAFE and _is_listed(each)]
    if safe:
        title = f"Safe: {counted(len(safe), 'changed object')}"
        yield Part(title, tuple(reported_objects(safe)), is_detail=True)


def _counted(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield the counts of safe new objects and of noise, which no part lists."""
    left = [each for each in plan.kept if not _is_listed(each)]
    if not left:
        return
    notes = tuple(_counts(left))
    yield Part(
        f"Not listed: {counted(len(left), 'safe object')}",
        notes=notes,
        commands=(_diff(plan, base),),
        is_detail=True,
    )


def _counts(left: Iterable[PlannedObject]) -> Iterator[str]:
    counted: dict[tuple[str, str], Counter[str]] = {}
    for each in left:
        how = _NEW if each.change is Change.ADDED else _QUIET
        kinds = counted.setdefault((each.placed.component, how), Counter())
        kinds[each.placed.key.kind] += 1
    for (component, how), kinds in sorted(counted.items()):
        shown = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield f"{component}, {how}: {shown}."


def _is_listed(planned: PlannedObject) -> bool:
    if planned.verdict > Verdict.SAFE:
        return True
    return planned.change is Change.CHANGED and not planned.is_noise


def _diff(plan: ClusterPlan, base: str | None) -> str:
    command = f"gpuplane diff {plan.cluster}"
    return f"{command} --base {base}" if base else command
