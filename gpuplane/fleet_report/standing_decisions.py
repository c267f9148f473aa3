"""What is to be decided of clusters whether they change or not: budgets, exceptions and prices."""

import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction

from charts_py.cluster_file.fault import counted
from charts_py.platform.policy_settings import policy_settings
from gpuplane.fleet_report.answer import uses_after
from gpuplane.fleet_report.cluster_change import ClusterChange
from gpuplane.fleet_report.figure_words import counted_gpus, gpus_words
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import Decision
from gpuplane.plan.effect import Verdict
from gpuplane.plan.plan import Plan
from gpuplane.reports.cost.cost_statement import BudgetPlan, cost_statement
from policies.document import few

NEAR = 30
"""Days before its end from which an exception is to be decided."""


def standing_decisions(
    fleet: Fleet, plan: Plan, changes: Sequence[ClusterChange]
) -> Iterator[Decision]:
    yield from _budgets(plan, changes)
    yield from (one for each in changes for one in _exceptions(fleet, each))
    yield from _prices(changes)


def _budgets(plan: Plan, changes: Sequence[ClusterChange]) -> Iterator[Decision]:
    """Yield the budgets that are exceeded by another amount than before, and all others as one."""
    command = ("gpuplane", "cost", *(plan.base.arguments if plan.base else ()))
    found = [(change, *each) for change in changes for each in _exceeded(change)]
    standing = [each for each in found if each[2] == each[1].above]
    for change, budget, before in found:
        if len(standing) < 2 or budget.above != before:
            yield _budget(change, budget, before, shlex.join(command))
    if len(standing) > 1:
        named = [
            f"{each.budget.place} by {each.above:,.0f} {each.budget.currency}"
            for _, each, _ in standing
        ]
        change, first, _ = standing[0]
        yield Decision(
            kind="budget",
            verdict=Verdict.ROLLING,
            title=f"{len(standing)} budgets are exceeded, as before",
            text=f"{few(named)}.",
            place=str(change.place("teams", first.budget.team, "budget")),
            command=shlex.join(command),
            teams=tuple(sorted({each.budget.team for _, each, _ in standing})),
        )


def _exceeded(change: ClusterChange) -> Iterator[tuple[BudgetPlan, float | None]]:
    """Yield each budget that is exceeded, and by how much it was; None where nobody knows."""
    was = cost_statement((change.before,)).plans if change.before else ()
    before = {each.budget.team: each.above or 0 for each in was}
    for each in cost_statement((change.after,)).plans:
        if each.above:
            yield each, before.get(each.budget.team, 0) if change.before else None


def _budget(
    change: ClusterChange, plan: BudgetPlan, before: float | None, command: str
) -> Decision:
    budget, places = plan.budget, ", ".join(plan.without)
    without = f"; {places} add to it, without a price" if places else ""
    earlier = "" if before in (None, plan.above) else f"; before, {before:,.0f} above"
    return Decision(
        kind="budget",
        verdict=Verdict.ROLLING,
        title=(
            f"{budget.place} reserves {plan.above:,.0f} {budget.currency} a month above its budget"
        ),
        text=f"It reserves {plan.reserved:,.0f} of {budget.month:,.0f}{earlier}{without}.",
        place=change.place("teams", budget.team, "budget"),
        command=command,
        teams=(budget.team,),
    )


def _exceptions(fleet: Fleet, change: ClusterChange) -> Iterator[Decision]:
    for number, each in enumerate(policy_settings(change.facts.platform).exceptions):
        left = (each.expires - fleet.as_of).days
        if left > NEAR:
            continue
        ends = f"ends in {counted(left, 'day')}" if left >= 0 else "has ended, and the rule applies"
        yield Decision(
            kind="exception",
            verdict=Verdict.ROLLING,
            title=f"{change.name}: the exception to {each.rule} in {each.namespace} {ends}",
            text=f"{each.reason}; {each.owner} answers for it, until {each.expires}.",
            place=change.place("policies", "exceptions", number),
            command="gpuplane rules",
        )


def _prices(changes: Sequence[ClusterChange]) -> Iterator[Decision]:
    uses = uses_after(changes)
    without = [each for each in uses if each.gpu_hour is None]
    if not without:
        return
    gpus, most = (sum((each.most for each in some), Fraction()) for some in (without, uses))
    first = next(each for each in changes if each.name == without[0].cluster)
    verb = "has" if len(without) == 1 else "have"
    yield Decision(
        kind="not known",
        verdict=Verdict.SAFE,
        title=(
            f"{counted(len(without), 'pool')} with {gpus_words(gpus)} of {counted_gpus(most)} "
            f"{verb} no price"
        ),
        text=(
            f"Every sum leaves them out: {few([each.place for each in without])}. State price, "
            "owned or cost.discounts."
        ),
        place=first.place("pools", without[0].pool.name),
        command="gpuplane cost",
        teams=tuple(sorted({team for each in without for team in each.teams})),
    )
