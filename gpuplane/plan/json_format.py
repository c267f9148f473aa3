"""Writes a plan for programs."""

from typing import Any, TypeAlias

from gpuplane.json_output import attributes, json_value
from gpuplane.plan.allocation_change import AllocationChange, LineChange
from gpuplane.plan.effect import Effect, PlannedObject
from gpuplane.plan.headline import headline, sentence
from gpuplane.plan.kubernetes_upgrade import KubernetesUpgrade
from gpuplane.plan.outage import Outage
from gpuplane.plan.pin_change import PinChange
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.removed_pool import RemovedPool
from gpuplane.plan.restart import Restart
from gpuplane.plan.rollout import exactly
from gpuplane.plan.version_bump import VersionBump
from gpuplane.plan.workload_impact import WorkloadImpact
from gpuplane.reports.cost.cost_report import comparison_fields
from gpuplane.versions.difference_format import placed_fields

Fields: TypeAlias = dict[str, Any]


def plan_fields(plan: Plan) -> Fields:
    """Return a plan as JSON holds it; what is not known is null."""
    return {
        "base": plan.base and plan.base.reference,
        "baseCommit": plan.base and plan.base.commit.object_name,
        **attributes(plan, "verdict"),
        "summary": headline(plan),
        **attributes(plan, "unchanged", "edited", "rendered_here"),
        "items": [_cluster(each) for each in plan.clusters],
    }


def _cluster(plan: ClusterPlan) -> Fields:
    return {
        **attributes(plan, "cluster", "subject", "old", "new", "verdict"),
        "summary": sentence([plan]),
        **attributes(plan, "let_go"),
        "objects": [_object(each) for each in plan.objects],
        "outages": [_outage(each) for each in plan.outages],
        "unsizedPools": plan.unsized,
        "restarts": [_restart(each) for each in plan.restarts],
        "removedPools": [_removed_pool(each) for each in plan.removed_pools],
        "cost": None if plan.cost is None else comparison_fields(plan.cost),
        "remadePools": json_value(plan.remade),
        "allocations": _allocations(plan.allocations),
        "pins": [_pin(each) for each in plan.pins],
        "kubernetes": None if plan.upgrade is None else _upgrade(plan.upgrade),
        "versionBump": None if plan.bump is None else _bump(plan.bump),
        "workloads": None if plan.workloads is None else _workloads(plan.workloads),
        **attributes(plan, "not_known"),
    }


def _object(planned: PlannedObject) -> Fields:
    return {
        **placed_fields(planned.placed),
        **attributes(planned, "change", "verdict", "pools", "team", "is_held", "is_noise"),
        "effects": [_effect(each) for each in planned.effects],
    }


def _effect(effect: Effect) -> Fields:
    return {
        **attributes(effect, "verdict", "field", "reason"),
        "source": effect.source or None,
        **attributes(effect, "is_certain", "is_possible", "is_known"),
    }


def _outage(outage: Outage) -> Fields:
    return {
        "pools": [each.pool for each in outage.pools],
        "madeBy": outage.rollout.made_by or None,
        "mechanism": outage.rollout.mechanism.value,
        "gpusPerNode": max(each.gpus for each in outage.pools),
        **attributes(outage, "is_for_good", "is_held", "is_possible", "stays"),
        **attributes(outage, "nodes", "at_once", "waves"),
        "minutes": None if outage.is_for_good else json_value(outage.minutes),
        "gpusOut": json_value(outage.gpus if outage.is_for_good else outage.gpus_out),
        "gpuHours": None if outage.is_for_good else json_value(outage.gpu_hours),
    }


def _restart(restart: Restart) -> Fields:
    holdings = json_value(restart.holdings)
    return {**attributes(restart, "resource", "is_offered"), "namespaces": holdings}


def _removed_pool(pool: RemovedPool) -> Fields:
    return {
        **attributes(pool, "name", "is_removed", "held_by", "successor", "keeps_machines"),
        **attributes(pool, "verdict"),
        "nodes": json_value(pool.nodes.nodes),
        "gpus": json_value(pool.nodes.nodes * exactly(pool.nodes.gpus)),
        "namespaces": [
            {
                **attributes(each, "namespace", "team"),
                "gpus": float(each.own),
                **attributes(each, "borrowed"),
            }
            for each in pool.holders
        ],
    }


def _allocations(change: AllocationChange) -> Fields:
    return {
        **attributes(change, "teams"),
        "quotas": [
            {
                **attributes(each.line, "namespace", "team", "pool", "resource"),
                **_sides(each, "own", "reach"),
            }
            for each in change.quotas
        ],
        "pools": [
            {
                **attributes(each.line, "pool", "resource"),
                **_sides(each, "nodes", "capacity", "promised"),
                "over": each.over,
            }
            for each in change.pools
        ],
        **attributes(change, "sizes"),
    }


def _sides(change: LineChange[Any], *names: str) -> Fields:
    sides = (("before", change.before), ("after", change.after))
    return {key: None if line is None else attributes(line, *names) for key, line in sides}


def _pin(change: PinChange) -> Fields:
    return {
        **attributes(change.pin, "kind", "name"),
        **attributes(change, "old", "new", "verdict", "is_recorded", "rollout"),
        "changes": [attributes(each, "verdict", "what") for each in change.changes],
        **attributes(change, "sources"),
    }


def _bump(bump: VersionBump) -> Fields:
    stated = json_value(bump.declared)
    return {**attributes(bump, "asked"), "stated": stated, **attributes(bump, "is_enough", "least")}


def _upgrade(upgrade: KubernetesUpgrade) -> Fields:
    return {
        **attributes(upgrade, "old", "new"),
        "objects": [_object(each) for each in upgrade.objects],
        "outages": [_outage(each) for each in upgrade.outages],
        "controllers": [
            {
                **attributes(each, "name", "version"),
                **attributes(each.supported, "least", "most", "source"),
            }
            for each in upgrade.controllers
            if each.supported is not None
        ],
    }


def _workloads(impact: WorkloadImpact) -> Fields:
    return {
        **attributes(impact, "read", "refused_already", "refused"),
        "resourcesGone": json_value(impact.resources),
        "poolsGone": json_value(impact.pools),
    }
