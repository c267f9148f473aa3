"""What a plan says of a cost that changes."""

from collections.abc import Iterator

from gpuplane.plan.parts.part import Part
from gpuplane.plan.plan import ClusterPlan
from gpuplane.reports.cost.cost_item import View
from gpuplane.reports.cost.cost_report import budget_change_notes, change_table, comparison_notes

_VIEWS = (View.POOL, View.TEAM, View.TOTAL)


def cost_part(plan: ClusterPlan, base: str | None) -> Iterator[Part]:
    """Yield what changes a month by pool, by team and in all; nothing where nothing does."""
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
