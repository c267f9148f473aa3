"""Writes what is told of each cluster by itself: once for those that are alike but for a name."""

from collections.abc import Callable, Iterable, Iterator

from charts_py.platform.policy_settings import policy_settings
from gpuplane.alike_clusters import told_once
from gpuplane.plan.admission_change import admission_clauses
from gpuplane.plan.exception_ends import extended_exceptions
from gpuplane.plan.looser_rules import looser_clauses, unfixed_clauses
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.refused_pools import remade_words
from gpuplane.plan.restart_words import restart_clauses
from gpuplane.plan.rollout import exactly
from gpuplane.plan.smaller_shared_memory import smaller_shared_memory
from gpuplane.plan.stricter_rules import changing_rules, stricter_clauses, warning_rules
from gpuplane.plan.unmet_checks import unmet_words
from gpuplane.plan.unplugged_nodes import unplugged_clauses


def of_each(
    plans: Iterable[ClusterPlan], clauses: Callable[[ClusterPlan], Iterable[str]]
) -> Iterator[str]:
    return told_once((each.cluster, clause) for each in plans for clause in clauses(each))


def order_clauses(plan: ClusterPlan) -> Iterator[str]:
    """Yield what the control plane runs before anything else may happen."""
    if plan.upgrade:
        verb = "promote" if plan.is_later else "merge"
        when = "only once" if plan.upgrade.minors else "only where"
        yield f"{verb} it {when} the control plane of {plan.cluster} runs {plan.upgrade.new}"
        for each in plan.upgrade.excluding:
            yield f"{each.name} {each.version} supports Kubernetes {each.supported} alone"


def restarted(plan: ClusterPlan) -> Iterator[str]:
    return restart_clauses(plan.cluster, plan.restarts)


def unplugged(plan: ClusterPlan) -> Iterator[str]:
    return unplugged_clauses(plan.cluster, plan.unplugged)


def size_clauses(plan: ClusterPlan) -> Iterator[str]:
    for size in plan.allocations.sizes:
        gpus = exactly(abs(size.difference)).words("GPUs")
        place = f"{plan.cluster}/{size.pool}"
        if size.difference < 0:
            yield f"quotas lose {gpus} of {place}, whose machines stay"
        else:
            yield f"quotas can have {gpus} more of {place}, and no machine is added"
    for limit in plan.allocations.limits:
        most = exactly(limit.after).words("GPUs")
        yield f"{plan.cluster}/{limit.pool} has at most {most} in place of {limit.before}"


def rule_clauses(plan: ClusterPlan) -> Iterator[str]:
    # Rules judge by what is asked for, also where a pool refuses its change.
    if plan.before is None or plan.asked is None:
        return
    yield from (clause.text for clause in admission_clauses(plan.before, plan.asked))
    old, new = (policy_settings(side) for side in (plan.before, plan.asked))
    name, today = plan.cluster, plan.today
    yield from (clause.text for clause in stricter_clauses(old, new, name, today))
    yield from (clause.text for clause in changing_rules(old, new, name))
    yield from warning_rules(old, new, name)
    for looser in (looser_clauses, extended_exceptions, unfixed_clauses):
        yield from (clause.text for clause in looser(old, new, name, today))
    yield from (clause.text for clause in smaller_shared_memory(old, new, name))


def refusal_clauses(plan: ClusterPlan) -> Iterator[str]:
    if plan.workloads is None:
        return
    told = {name for one in plan.restarts if not one.is_offered for name in one.workloads}
    if refused := {one.workload for one in plan.workloads.refused} - told:
        again = "it starts" if len(refused) == 1 else "they start"
        yield (
            f"{len(refused)} of {plan.workloads.read} workloads of {plan.cluster} would be "
            f"refused when {again} again"
        )


def remade_clauses(plan: ClusterPlan) -> Iterator[str]:
    for pool in plan.remade:
        if pool.unmet:
            yield unmet_words(f"{plan.cluster}/{pool.name}", pool.unmet)
        if (pool.gpus, pool.kept, pool.most) != (0, 0, 0):
            yield f"if {plan.cluster}/{pool.name} is made again: {remade_words(pool)}"


def excesses(plan: ClusterPlan) -> Iterator[str]:
    """Yield what is above a budget, and quotas above what a pool has."""
    for change in plan.cost.budgets if plan.cost else ():
        if change.exceeds and change.after is not None and change.after.above is not None:
            budget, above = change.after.budget, change.after.above
            yield f"{budget.place} is {above:,.0f} {budget.currency} a month above its budget"
    for pool in plan.allocations.pools:
        if pool.over and pool.after:
            yield (
                f"quotas on {plan.cluster}/{pool.after.pool} exceed what it has by "
                f"{pool.over} {pool.after.resource}"
            )
