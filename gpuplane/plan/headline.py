"""Writes the one sentence about a change: verdict, GPUs out and for how long, cost."""

from collections.abc import Iterable, Iterator

from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.admission_change import admission_clauses
from gpuplane.plan.cost_clauses import cost_clause
from gpuplane.plan.effect import Verdict
from gpuplane.plan.exception_ends import extended_exceptions
from gpuplane.plan.gpu_clauses import CONSENT, GpuFate, gpu_clauses, upgrade_clauses
from gpuplane.plan.looser_rules import looser_clauses, unfixed_clauses
from gpuplane.plan.lowered_requests import lowered_requests
from gpuplane.plan.object_clauses import object_clauses
from gpuplane.plan.pin_change import PinKind
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.quota_clauses import quota_clauses, quota_losses
from gpuplane.plan.refused_pools import remade_words
from gpuplane.plan.restart_words import listed, restart_clauses
from gpuplane.plan.rollout import exactly
from gpuplane.plan.smaller_shared_memory import smaller_shared_memory
from gpuplane.plan.stricter_rules import changing_rules, stricter_clauses, warning_rules
from gpuplane.plan.unmet_checks import unmet_words
from gpuplane.plan.unplugged_nodes import unplugged_clauses
from gpuplane.versions.difference_format import compared
from gpuplane.versions.edited_clusters import edited_line, rendered_here_lines

NOTHING_CHANGES = "Nothing changes on any cluster."
MEANINGS = {
    Verdict.SAFE: "nothing that runs is touched",
    Verdict.DEFERRED: "what runs stays, and may be refused or wait when it starts again",
    Verdict.ROLLING: "pods restart, a few at a time",
    Verdict.DISRUPTIVE: "running workloads are disturbed",
    Verdict.IMMUTABLE: "part of it is refused, and stays as it is",
    Verdict.DANGEROUS: "data or many objects at once can be lost",
}


def headline(plan: Plan) -> str:
    """Return the sentence for the fleet: what merging does, or else what a promotion would."""
    if not plan.clusters:
        return _of_nothing(plan)
    later = tuple(each for each in plan.clusters if each.is_later)
    if not plan.merged:
        return f"Merging changes nothing that runs. {_promoted_sentence(later)}"
    said = (sentence(plan.merged), *([_promoted_sentence(later)] if later else ()))
    return " ".join(said)


def _promoted_sentence(later: tuple[ClusterPlan, ...]) -> str:
    subject = of_promotion(later)
    verb = " is" if any(each.is_increment for each in later) else ", it is"
    said = sentence(later)
    return f"{subject}{verb} {said[0].lower()}{said[1:]}"


def of_promotion(later: Iterable[ClusterPlan]) -> str:
    """Return how a sentence begins about plans of what is rendered and not live."""
    is_increment = any(each.is_increment for each in later)
    return "What it adds to the next promotion" if is_increment else "Once promoted"


def _of_nothing(plan: Plan) -> str:
    if plan.edited:
        return "Nothing that is rendered changes."
    if not plan.alike:
        return NOTHING_CHANGES
    verb = "is" if len(plan.alike) == 1 else "are each"
    return (
        f"{', '.join(plan.alike)} {verb} live and rendered alike; to see what your edits do, "
        "compare with git: gpuplane plan --base REF"
    )


def base_lines(plan: Plan) -> Iterator[str]:
    """Yield what is compared with, where it is not the tip of a reference that was named."""
    if plan.base is not None and plan.base.missing:
        yield f"Compared with {plan.base}, where this branch left it."
    elif plan.base is not None and plan.base.is_default:
        yield f"Compared with {plan.base}."


def edited_lines(plan: Plan) -> Iterator[str]:
    yield from rendered_here_lines(plan.rendered_here, plan.released)
    if names := plan.edited:
        yield edited_line(names, "run", "synth")


def versions(plan: ClusterPlan) -> str:
    return compared(plan.cluster, plan.subject, plan.old, plan.new)


def plan_lines(plan: ClusterPlan) -> Iterator[str]:
    """Yield what a plan compares with, where that is not one version, and what it does not know."""
    if plan.is_increment:
        before = f"compared with {plan.old or 'nothing'}, as it was rendered before"
        if plan.live is None:
            yield f"Nothing is live: all objects are new (+), and cost is {before}."
        else:
            yield (
                f"What {plan.live} lacks, which is live, is new (+); what it has (~, -) is "
                f"{before}, and so is cost."
            )
    yield from plan.not_known


def sentence(plans: Iterable[ClusterPlan]) -> str:
    plans = tuple(plans)
    if all(each.let_go for each in plans):
        return "Argo CD lets go, and nothing that it installed is removed."
    worst = max(each.verdict for each in plans)
    clauses = (
        meaning(plans, worst),
        *order_clauses(plans),
        *(clause for each in plans for clause in restart_clauses(each.cluster, each.restarts)),
        *map(str, gpu_clauses(plans)),
        *(clause for each in plans for clause in unplugged_clauses(each.cluster, each.unplugged)),
        *_pin_clauses(plans),
        *map(str, upgrade_clauses(plans)),
        *object_clauses(plans),
        *_size_clauses(plans),
        *quota_clauses(plans),
        *lowered_requests(plans),
        *_rule_clauses(plans),
        *_refusal_clauses(plans),
        cost_clause(plans),
        *_remade_clauses(plans),
        *_excesses(plans),
    )
    return f"{worst.word.capitalize()}: {'; '.join(clauses)}."


def consequences(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield what becomes of what runs, the gravest first."""
    plans = tuple(plans)
    for each in plans:
        yield from restart_clauses(each.cluster, each.restarts)
    touched = (*gpu_clauses(plans), *upgrade_clauses(plans))
    yield from (str(each) for each in touched if each.fate is not GpuFate.UNTOUCHED)
    for each in plans:
        yield from unplugged_clauses(each.cluster, each.unplugged)
    shrinking = [
        each for each in plans if any(one.difference < 0 for one in each.allocations.sizes)
    ]
    yield from _size_clauses(shrinking)
    if any(loss for each in plans for loss in quota_losses(each)):
        yield from quota_clauses(plans)
    yield from _refusal_clauses(plans)


def meaning(plans: tuple[ClusterPlan, ...], worst: Verdict) -> str:
    """Return what the worst verdict means, and of which objects."""
    if worst is Verdict.DISRUPTIVE and _is_possible(plans):
        return "running workloads may be disturbed"
    if worst < Verdict.IMMUTABLE:
        is_first = worst is Verdict.DISRUPTIVE and all(each.old is None for each in plans)
        return f"{MEANINGS[worst]}{', if there are any' if is_first else ''}"
    decisive = (one for each in plans for one in each.objects if one.verdict is worst)
    names = {is_held: dict[str, None]() for is_held in CONSENT}
    for each in decisive:
        names[each.is_held][str(each.placed.key)] = None
    clauses = (f"{CONSENT[held]} ({listed(found)})" for held, found in names.items() if found)
    return f"{MEANINGS[worst]}{', and'.join(clauses)}"


def order_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield what the control plane runs before anything else may happen."""
    for each in plans:
        if each.upgrade:
            verb = "promote" if each.is_later else "merge"
            when = "only once" if each.upgrade.minors else "only where"
            yield f"{verb} it {when} the control plane of {each.cluster} runs {each.upgrade.new}"


def _is_possible(plans: Iterable[ClusterPlan]) -> bool:
    """Say whether nobody knows that anything disruptive of it happens at all."""
    for each in plans:
        pins = any(pin.verdict is Verdict.DISRUPTIVE for pin in each.pins)
        effects = (effect for one in each.reached for effect in one.effects)
        disruptive = (effect for effect in effects if effect.verdict is Verdict.DISRUPTIVE)
        if pins or each.restarts or not all(effect.is_possible for effect in disruptive):
            return False
    return True


def _pin_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield what nobody has recorded: a chart or driver may do more than its Application shows."""
    pins = (pin for each in plans for pin in each.pins if pin.pin.kind is not PinKind.CRDS)
    if unknown := [*dict.fromkeys(f"{pin.pin} {pin.new}" for pin in pins if not pin.is_recorded)]:
        verb = "changes" if len(unknown) == 1 else "change"
        yield f"what {' and '.join(unknown)} {verb} is not known"


def _size_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    for each in plans:
        for size in each.allocations.sizes:
            gpus = exactly(abs(size.difference)).words("GPUs")
            place = f"{each.cluster}/{size.pool}"
            if size.difference < 0:
                yield f"quotas lose {gpus} of {place}, whose machines stay"
            else:
                yield f"quotas can have {gpus} more of {place}, and no machine is added"
        for limit in each.allocations.limits:
            most = exactly(limit.after).words("GPUs")
            yield f"{each.cluster}/{limit.pool} has at most {most} in place of {limit.before}"


def _rule_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    for each in plans:
        # Rules judge by what is asked for, also where a pool refuses its change.
        if each.before and each.asked:
            yield from (clause.text for clause in admission_clauses(each.before, each.asked))
            old, new = (policy_settings(side) for side in (each.before, each.asked))
            stricter = stricter_clauses(old, new, each.cluster, each.today)
            yield from (clause.text for clause in stricter)
            yield from (clause.text for clause in changing_rules(old, new, each.cluster))
            yield from warning_rules(old, new, each.cluster)
            for looser in (looser_clauses, extended_exceptions, unfixed_clauses):
                yield from (found.text for found in looser(old, new, each.cluster, each.today))
            yield from (found.text for found in smaller_shared_memory(old, new, each.cluster))


def _refusal_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    for each in plans:
        told = {name for one in each.restarts if not one.is_offered for name in one.workloads}
        found = each.workloads.refused if each.workloads else ()
        refused = {one.workload for one in found} - told
        if each.workloads and refused:
            again = "it starts" if len(refused) == 1 else "they start"
            yield (
                f"{len(refused)} of {each.workloads.read} workloads of {each.cluster} would be "
                f"refused when {again} again"
            )


def _remade_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    for each in plans:
        for pool in each.remade:
            if pool.unmet:
                yield unmet_words(f"{each.cluster}/{pool.name}", pool.unmet)
            if (pool.gpus, pool.kept, pool.most) != (0, 0, 0):
                yield f"if {each.cluster}/{pool.name} is made again: {remade_words(pool)}"


def _excesses(plans: tuple[ClusterPlan, ...]) -> Iterator[str]:
    for each in plans:
        for change in each.cost.budgets if each.cost else ():
            if change.exceeds and change.after is not None and change.after.above is not None:
                budget, above = change.after.budget, change.after.above
                yield f"{budget.place} is {above:,.0f} {budget.currency} a month above its budget"
        for pool in each.allocations.pools:
            if pool.over and pool.after:
                yield (
                    f"quotas on {each.cluster}/{pool.after.pool} exceed what it has by "
                    f"{pool.over} {pool.after.resource}"
                )
