"""What is told of a cluster, in the order of its weight."""

from collections import Counter
from collections.abc import Iterable, Iterator

from charts_py.plan.allocation_part import allocation_part
from charts_py.plan.cost_part import cost_part
from charts_py.plan.effect import Change, PlannedObject
from charts_py.plan.outage_part import outage_part
from charts_py.plan.part import Part
from charts_py.plan.pin_part import pin_part
from charts_py.plan.plan import ClusterPlan
from charts_py.plan.told_effect import told_objects
from charts_py.plan.verdict import Verdict
from charts_py.plan.workload_part import workload_part

_NEW, _QUIET = "new", "only labels, dashboards or alerts"


def parts(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield the parts: what is removed, what the rest does, and what follows from it."""
    if plan.removed:
        yield _removed(plan)
    yield from outage_part(plan)
    yield from _components(plan)
    yield from allocation_part(plan)
    yield from cost_part(plan, base)
    yield from pin_part(plan)
    yield from workload_part(plan)
    yield from _version(plan)
    yield from _safe(plan)
    yield from _counted(plan, base)


def _removed(plan: ClusterPlan) -> Part:
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
    removed = tuple(told_objects(plan.removed))
    return Part("Deletions and prunes", removed, notes=tuple(notes), commands=tuple(approvals))


def _components(plan: ClusterPlan) -> Iterator[Part]:
    """Yield the components in which something is worse than safe, the worst first."""
    told = [each for each in plan.kept if each.verdict > Verdict.SAFE]
    for name in dict.fromkeys(each.placed.component for each in told):
        objects = tuple(each for each in told if each.placed.component == name)
        worst = max(each.verdict for each in objects)
        yield Part(f"{name}: {worst.word}", tuple(told_objects(objects)))


def _safe(plan: ClusterPlan) -> Iterator[Part]:
    """Yield the safe objects that change in what somebody may ask about."""
    told = [each for each in plan.kept if each.verdict is Verdict.SAFE and _is_told(each)]
    if told:
        title = f"Safe: {len(told)} changed object{'s' if len(told) > 1 else ''}"
        yield Part(title, tuple(told_objects(told)), is_detail=True)


def _is_told(planned: PlannedObject) -> bool:
    """Whether an object is listed: not where it is new and safe, or noise."""
    if planned.verdict > Verdict.SAFE:
        return True
    return planned.change is Change.CHANGED and not planned.is_noise


def _version(plan: ClusterPlan) -> Iterator[Part]:
    bump = plan.bump
    if bump is None:
        return
    asked, stated = bump.asked.word, bump.stated.word
    why = f"The worst verdict is {plan.verdict.word}, which asks for a {asked} step"
    if bump.is_enough:
        said = (
            f"{why}; {bump.old} to {bump.new} is a {stated} one."
            if asked != stated
            else (f"{why}, as {bump.old} to {bump.new} is.")
        )
        yield Part("Version", notes=(said,), is_detail=True)
        return
    is_none = (
        f"; the version stays {bump.new}"
        if stated == "none"
        else (f"; {bump.old} to {bump.new} is a {stated} one")
    )
    yield Part("Version", notes=(f"{why}{is_none}. Set version: {bump.least} or higher.",))


def _counted(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield what is counted rather than listed: what is new and safe, and noise."""
    left = [each for each in plan.kept if not _is_told(each)]
    if not left:
        return
    notes = tuple(_counts(left))
    yield Part(
        f"Not listed: {len(left)} safe objects",
        notes=notes,
        commands=(_diff(plan, base),),
        is_detail=True,
    )


def _diff(plan: ClusterPlan, base: str | None) -> str:
    """Return the command that shows every field that differs."""
    return (
        f"gpuplane diff {plan.cluster} --base {base}" if base else f"gpuplane diff {plan.cluster}"
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
