"""Costs for programs."""

from typing import Any, TypeAlias

from charts_py.platform.pool_price import HOURS_OF_A_MONTH, Price
from gpuplane.reports.cost.budget_plan import BudgetChange, BudgetPlan
from gpuplane.reports.cost.cost_change import CostChange, CostComparison
from gpuplane.reports.cost.cost_item import PricedPool
from gpuplane.reports.cost.cost_statement import CostStatement, UnpricedPool
from gpuplane.reports.cost.cost_sum import CostSum, View, add_up

Fields: TypeAlias = dict[str, Any]

_DECIMALS = 4
"""Of prices of an hour, and of GPUs."""


def statement_fields(statement: CostStatement) -> Fields:
    """Return what clusters cost."""
    return {
        "hoursOfMonth": HOURS_OF_A_MONTH,
        "pools": [_pool(pool) for pool in statement.pools],
        "sums": [_sum(one) for view in View for one in add_up(statement.items, view)],
        "budgets": [_budget(plan) for plan in statement.plans],
        "unpriced": [_unpriced(gap) for gap in statement.unpriced],
    }


def comparison_fields(comparison: CostComparison) -> Fields:
    """Return what changes a month."""
    return {
        "hoursOfMonth": HOURS_OF_A_MONTH,
        "items": [_change(one) for one in comparison.changes],
        "budgets": [_budget_change(one) for one in comparison.budgets],
        "unpriced": [_unpriced(gap) for gap in comparison.unpriced],
    }


def _pool(priced: PricedPool) -> Fields:
    nodes = {"min": priced.pool.min_nodes, "max": priced.pool.spec.nodes.max}
    return {
        "cluster": priced.cluster,
        "pool": priced.pool.name,
        "purchase": priced.pool.spec.purchase,
        "nodes": nodes,
        "gpusPerNode": priced.pool.hardware.gpus,
        "currency": priced.currency,
        "price": None if priced.price is None else _price(priced.price),
    }


def _price(price: Price) -> Fields:
    return {
        "nodeHour": round(price.node_hour, _DECIMALS),
        "gpuHour": round(price.gpu_hour, _DECIMALS),
        "origin": price.origin,
        "asOf": price.as_of,
    }


def _sum(one: CostSum) -> Fields:
    return {
        "by": one.view,
        "name": one.name,
        "currency": one.currency,
        "figure": one.figure,
        "gpus": round(float(one.gpus), _DECIMALS),
        "hour": None if one.hour is None else round(one.hour, _DECIMALS),
        "month": one.month,
        "without": one.without,
    }


def _change(change: CostChange) -> Fields:
    return {
        "by": change.view,
        "name": change.name,
        "currency": change.currency,
        "figure": change.figure,
        "before": change.before,
        "after": change.after,
        "difference": change.difference,
    }


def _budget(plan: BudgetPlan) -> Fields:
    return {
        "cluster": plan.budget.cluster,
        "team": plan.budget.team,
        "currency": plan.budget.currency,
        "month": plan.budget.month,
        "reserved": plan.reserved,
        "above": plan.above,
        "without": plan.without,
    }


def _budget_change(change: BudgetChange) -> Fields:
    return {
        "before": None if change.before is None else _budget(change.before),
        "after": None if change.after is None else _budget(change.after),
        "exceeds": change.exceeds,
    }


def _unpriced(gap: UnpricedPool) -> Fields:
    mark = gap.fault.mark
    return {
        "pool": gap.place,
        "reason": gap.fault.problem.what,
        "file": mark.file,
        "line": mark.line,
    }
