"""The first screen: what the change does, in a sentence, on a ladder, and in four figures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from charts_py.cluster_file.fault import counted
from gpuplane.alike_clusters import names_of
from gpuplane.fleet_report.cluster_change import ClusterChange, gone_clusters
from gpuplane.fleet_report.figure_words import amount_words, counted_gpus
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.plan_words import layout_words
from gpuplane.fleet_report.pool_use import Costs, Holder, PoolUse, added_up, pool_uses
from gpuplane.fleet_report.report_page import Answer, Change, CostFigure, GpuFigure, Rung
from gpuplane.plan.cluster_clauses import of_each, order_clauses
from gpuplane.plan.cost_clauses import NOT_KNOWN
from gpuplane.plan.effect import Verdict
from gpuplane.plan.gpu_clauses import (
    GpuClause,
    GpuFate,
    at_once,
    gpu_clauses,
    is_counted,
    upgrade_clauses,
)
from gpuplane.plan.headline import MEANINGS, consequences, edited_lines, meaning, of_promotion
from gpuplane.plan.object_clauses import object_clauses
from gpuplane.plan.plan import ClusterPlan, Plan

_MOST_OF_OBJECTS = 2


def answer(fleet: Fleet, plan: Plan, changes: Sequence[ClusterChange]) -> Answer:
    gone = [*gone_clusters(plan, changes)]
    # What clusters were that have no file any more is not known.
    before = None if gone else uses_before(changes)
    return Answer(
        about=_about(fleet, plan, len(gone)),
        sentence=_sentence(plan, changes),
        detail=" ".join(_detail(plan, changes)),
        rungs=tuple(_rungs(plan)),
        gpus=(_out(plan), _in_quotas(changes, before)),
        costs=tuple(_costs(changes, before)),
    )


def _about(fleet: Fleet, plan: Plan, gone: int) -> str:
    is_promoted = not plan.base and all(each.is_later for each in plan.clusters)
    what = "What a promotion does" if is_promoted else "What merging does"
    since = f" since {plan.base}" if plan.base else ""
    changed = len({each.cluster for each in plan.clusters})
    return f"{what}{since}, to {changed} of {counted(len(fleet.clusters) + gone, 'cluster')}"


def _worst(plan: Plan) -> tuple[ClusterPlan, ...]:
    """Return the plans with the worst verdict; of these, those of a merge where there are any."""
    found = tuple(each for each in plan.clusters if each.verdict is plan.verdict)
    return tuple(each for each in found if not each.is_later) or found


def _sentence(plan: Plan, changes: Sequence[ClusterChange]) -> str:
    """Return the worst verdict, and its worst consequence."""
    if not plan.clusters:
        missing = [each.name for each in changes if each.missing]
        return f"{names_of(missing)}: not rendered yet." if missing else "Nothing changes."
    worst = _worst(plan)
    said = _consequence(worst, changes)
    if worst[0].is_later:
        said = f"{of_promotion(worst)}: {said[0].lower()}{said[1:]}"
    return f"{said}."


def _consequence(worst: tuple[ClusterPlan, ...], changes: Sequence[ClusterChange]) -> str:
    verdict = worst[0].verdict
    if all(each.let_go for each in worst):
        return f"Argo CD lets go of {names_of([each.cluster for each in worst])}"
    found = [] if verdict is Verdict.SAFE else _gravest(worst)
    if verdict is Verdict.IMMUTABLE:
        stopped = found if any(each.restarts for each in worst) else []
        found = [*stopped, _refusal(worst, changes)]
    elif verdict is not Verdict.DISRUPTIVE or not found:
        found = [meaning(worst, verdict), *found]
    said = "; ".join((*found, *of_each(worst, order_clauses)))
    return f"{said[0].upper()}{said[1:]}"


def _gravest(worst: tuple[ClusterPlan, ...]) -> list[str]:
    least = min(worst[0].verdict, Verdict.DISRUPTIVE)
    told = [*object_clauses(worst, least)][:_MOST_OF_OBJECTS]
    return [*[*consequences(worst)][:1], *told]


def _refusal(worst: tuple[ClusterPlan, ...], changes: Sequence[ClusterChange]) -> str:
    moved = [*_moved_quotas(changes)]
    if not moved:
        return meaning(worst, Verdict.IMMUTABLE)
    shrink = any(after < before for _, _, before, after in moved)
    return f"part of this change is refused, yet its quotas {'shrink' if shrink else 'grow'}"


def _moved_quotas(
    changes: Iterable[ClusterChange],
) -> Iterator[tuple[ClusterChange, str, int, int]]:
    """Yield the pools that stay as they are while their quotas do not, in allocations."""
    for each in changes:
        for pool in sorted(each.refused):
            sides = (each.before, each.asked)
            before, after = (
                sum(one.spec.quota.gpus.get(pool, 0) for one in side.namespaces) if side else 0
                for side in sides
            )
            if before != after:
                yield each, pool, before, after


def _detail(plan: Plan, changes: Sequence[ClusterChange]) -> Iterator[str]:
    worst = _worst(plan)
    effects = [
        effect
        for each in worst
        for one in each.reached
        for effect in one.effects
        if effect.verdict is plan.verdict and effect.verdict > Verdict.ROLLING
    ]
    if effects:
        first, stop, _ = effects[0].reason.partition(". ")
        yield f"{first}{stop.strip()}"
    for each, pool, before, after in _moved_quotas(changes):
        now = each.after.pool(pool)
        count = each.after.team_nodes(now) * now.facts.allocations_per_node
        yield (
            f"{each.name}/{pool} keeps its {counted(count, 'allocation')} "
            f"({layout_words(now.facts.sharing)}), and the quotas on them go from {before} to "
            f"{after}."
        )
    yield from (f"{line}." for line in edited_lines(plan))
    if plan.base is None and plan.clusters:
        yield "This compares what is live with what is rendered; --base REF compares with git."


def _rungs(plan: Plan) -> Iterator[Rung]:
    for verdict in Verdict:
        found = [each for each in plan.clusters if each.verdict is verdict]
        later = tuple(each.cluster for each in found if each.is_later)
        merged = tuple(each.cluster for each in found if not each.is_later)
        yield Rung(verdict, MEANINGS[verdict], merged, later)


def _out(plan: Plan) -> GpuFigure:
    now = tuple(each for each in plan.clusters if not each.is_later)
    later = tuple(each for each in plan.clusters if each.is_later)
    out = [
        one
        for each in now
        for one in each.outages
        if is_counted(one) and not one.is_held and (one.is_out or one.removes_nodes)
    ]
    span = at_once(out)
    most = Fraction(span.low if span.high is None else span.high)
    least = at_once([each for each in out if not each.is_possible]).low
    # The figure itself says how many are out.
    clauses = (each for each in gpu_clauses(now) if not most or each.fate is not GpuFate.OUT)
    promoted = [f"once promoted, {each}" for each in _of_touched(gpu_clauses(later))]
    notes = (*_of_touched(clauses), *upgrade_clauses(now), *promoted[:1])
    note = "; ".join(map(str, notes))
    return GpuFigure("GPUs out with the merge", Change(most, None), Fraction(least), None, note)


def _of_touched(clauses: Iterable[GpuClause]) -> Iterator[GpuClause]:
    return (each for each in clauses if each.fate is not GpuFate.UNTOUCHED)


def uses_after(changes: Iterable[ClusterChange]) -> list[PoolUse]:
    return [use for each in changes for use in pool_uses(each.after)]


def uses_before(changes: Sequence[ClusterChange]) -> list[PoolUse] | None:
    """Return what pools were; None where that is not known of some."""
    if not all(each.is_known for each in changes):
        return None
    return [use for each in changes if each.before for use in pool_uses(each.before)]


def gpus_of(uses: Iterable[PoolUse], holder: Holder, team: str | None = None) -> Fraction:
    return sum((each.of(holder, team) for each in uses), Fraction())


def in_quotas(uses: Iterable[PoolUse]) -> Fraction:
    return gpus_of(uses, Holder.TEAM)


def most_of(uses: Iterable[PoolUse]) -> Fraction:
    return sum((each.most for each in uses), Fraction())


def kept_of(uses: Iterable[PoolUse]) -> Fraction:
    return sum((each.kept for each in uses), Fraction())


def gpu_change(
    before: Sequence[PoolUse] | None,
    after: Sequence[PoolUse],
    gpus: Callable[[Iterable[PoolUse]], Fraction],
) -> Change[Fraction]:
    return Change(gpus(after), None if before is None else gpus(before))


def costs_at_most(uses: Iterable[PoolUse]) -> Costs:
    return added_up(each.costs(each.most) for each in uses)


def costs_kept(uses: Iterable[PoolUse]) -> Costs:
    return added_up(each.costs(each.kept) for each in uses)


def cost_change(
    before: Sequence[PoolUse] | None,
    after: Sequence[PoolUse],
    costs: Callable[[Iterable[PoolUse]], Costs],
) -> Change[Costs]:
    """Return what pools cost, and what they did as far as both sides know the same prices."""
    known = {each.place: each.gpu_hour is not None for each in after}
    begins = (each.gpu_hour is None and known.get(each.place) for each in before or ())
    if before is None or any(begins):
        return Change(costs(after), None)
    was = (each if known.get(each.place, True) else replace(each, gpu_hour=None) for each in before)
    return Change(costs(after), costs(was))


_NOT_IN_QUOTAS = (
    (Holder.NOBODY, "in nobody's quota"),
    (Holder.LOST, "lost to MIG layouts"),
    (Holder.SPARE, "spare"),
    (Holder.SLURM, "of Slurm"),
)


def _in_quotas(changes: Sequence[ClusterChange], before: list[PoolUse] | None) -> GpuFigure:
    after = uses_after(changes)
    left = [(gpus_of(after, holder), words) for holder, words in _NOT_IN_QUOTAS]
    notes = [f"{counted_gpus(gpus)} {words}" for gpus, words in left if gpus]
    unknown = [] if before is not None else ["what it was is not known"]
    return GpuFigure(
        "GPUs in quotas",
        gpu_change(before, after, in_quotas),
        in_quotas(after),
        gpu_change(before, after, most_of),
        ", ".join([*unknown, *notes]),
    )


def _costs(changes: Sequence[ClusterChange], before: list[PoolUse] | None) -> Iterator[CostFigure]:
    after = uses_after(changes)
    figures = (("Fewest nodes", costs_kept), ("Most nodes", costs_at_most))
    for name, of in figures:
        change = cost_change(before, after, of)
        yield CostFigure(f"{name}, a month", change, _difference(change))


def _difference(change: Change[Costs]) -> str:
    """Return what a month costs more or less, of what has a price."""
    if change.was is None:
        return NOT_KNOWN
    old, new = dict(change.was.amounts), dict(change.now.amounts)
    found = [(currency, new.get(currency, 0) - old.get(currency, 0)) for currency in old | new]
    return ", ".join(
        f"{'+' if amount > 0 else '-'}{amount_words(currency, abs(amount))}"
        for currency, amount in found
        if round(amount)
    )
