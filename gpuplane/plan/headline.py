"""Writes the one sentence about a change: verdict, GPUs out and for how long, cost."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import counted
from gpuplane.plan.cluster_clauses import (
    excesses,
    of_each,
    order_clauses,
    refusal_clauses,
    remade_clauses,
    restarted,
    rule_clauses,
    size_clauses,
    unplugged,
)
from gpuplane.plan.cost_clauses import cost_clause
from gpuplane.plan.effect import Verdict
from gpuplane.plan.gpu_clauses import CONSENT, GpuFate, gpu_clauses, upgrade_clauses
from gpuplane.plan.lowered_requests import lowered_requests
from gpuplane.plan.object_clauses import object_clauses
from gpuplane.plan.pin_change import PinKind
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.quota_clauses import quota_clauses, quota_losses
from gpuplane.plan.restart_words import MAX_NAMED, listed
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
        *of_each(plans, order_clauses),
        *of_each(plans, restarted),
        *map(str, gpu_clauses(plans)),
        *of_each(plans, unplugged),
        *_pin_clauses(plans),
        *map(str, upgrade_clauses(plans)),
        *object_clauses(plans),
        *of_each(plans, size_clauses),
        *quota_clauses(plans),
        *lowered_requests(plans),
        *of_each(plans, rule_clauses),
        *of_each(plans, refusal_clauses),
        cost_clause(plans),
        *of_each(plans, remade_clauses),
        *of_each(plans, excesses),
    )
    return f"{worst.word.capitalize()}: {'; '.join(clauses)}."


def consequences(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield what becomes of what runs, the gravest first."""
    plans = tuple(plans)
    yield from of_each(plans, restarted)
    touched = (*gpu_clauses(plans), *upgrade_clauses(plans))
    yield from (str(each) for each in touched if each.fate is not GpuFate.UNTOUCHED)
    yield from of_each(plans, unplugged)
    shrinking = [
        each for each in plans if any(one.difference < 0 for one in each.allocations.sizes)
    ]
    yield from of_each(shrinking, size_clauses)
    if any(loss for each in plans for loss in quota_losses(each)):
        yield from quota_clauses(plans)
    yield from of_each(plans, refusal_clauses)


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
    """Yield charts and drivers that change, and those of which nobody has recorded what changes.

    They may do more than their Applications show.
    """
    pins = [pin for each in plans for pin in each.pins if pin.pin.kind is not PinKind.CRDS]
    known = dict.fromkeys(
        f"{pin.pin} {pin.old} becomes {pin.new}" for pin in pins if pin.is_recorded
    )
    yield from [*known][:MAX_NAMED]
    if left := len([*known][MAX_NAMED:]):
        yield f"{counted(left, 'more pinned version')} {'changes' if left == 1 else 'change'}"
    if unknown := [*dict.fromkeys(f"{pin.pin} {pin.new}" for pin in pins if not pin.is_recorded)]:
        verb = "changes" if len(unknown) == 1 else "change"
        yield f"what {' and '.join(unknown)} {verb} is not known"
