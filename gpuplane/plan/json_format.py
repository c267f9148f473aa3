"""Writes a plan for programs."""

from typing import Any, TypeAlias

from gpuplane.plan.allocation_change import AllocationChange, PoolChange, QuotaChange
from gpuplane.plan.effect import Effect, PlannedObject
from gpuplane.plan.headline import headline, sentence
from gpuplane.plan.outage import Outage
from gpuplane.plan.pins.pin_change import PinChange
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.span import Span
from gpuplane.plan.version_bump import VersionBump
from gpuplane.plan.workload_impact import Loss, WorkloadImpact
from gpuplane.reports.cost.cost_report import comparison_fields

Fields: TypeAlias = dict[str, Any]


def plan_fields(plan: Plan) -> Fields:
    """Return a plan as JSON holds it; what is not known is null."""
    return {
        "base": plan.base,
        "verdict": plan.verdict.word,
        "summary": headline(plan),
        "unchanged": plan.unchanged,
        "items": [_cluster(each) for each in plan.clusters],
    }


def _cluster(plan: ClusterPlan) -> Fields:
    return {
        "cluster": plan.cluster,
        "subject": plan.subject.value,
        "old": plan.old,
        "new": plan.new,
        "verdict": plan.verdict.word,
        "summary": sentence([plan]),
        "letGo": plan.let_go,
        "objects": [_object(each) for each in plan.objects],
        "outages": [_outage(each) for each in plan.outages],
        "unsizedPools": plan.unsized,
        "cost": None if plan.cost is None else comparison_fields(plan.cost),
        "allocations": _allocations(plan.allocations),
        "pins": [_pin(each) for each in plan.pins],
        "versionBump": None if plan.bump is None else _bump(plan.bump),
        "workloads": None if plan.workloads is None else _workloads(plan.workloads),
        "notKnown": plan.not_known,
    }


def _object(planned: PlannedObject) -> Fields:
    key = planned.placed.key
    return {
        "component": planned.placed.component,
        "group": key.group,
        "kind": key.kind,
        "namespace": key.namespace,
        "name": key.name,
        "change": planned.change.value,
        "verdict": planned.verdict.word,
        "pools": planned.pools,
        "team": planned.team,
        "isHeld": planned.is_held,
        "isNoise": planned.is_noise,
        "effects": [_effect(each) for each in planned.effects],
    }


def _effect(effect: Effect) -> Fields:
    return {
        "verdict": effect.verdict.word,
        "field": effect.field,
        "reason": effect.reason,
        "source": effect.source or None,
        "isCertain": effect.is_certain,
        "isKnown": effect.is_known,
    }


def _outage(outage: Outage) -> Fields:
    return {
        "pools": [each.pool for each in outage.pools],
        "madeBy": outage.rollout.made_by or None,
        "mechanism": outage.rollout.mechanism.value,
        "gpusPerNode": max(each.gpus for each in outage.pools),
        "isForGood": outage.is_for_good,
        "nodes": _span(outage.nodes),
        "atOnce": _span(outage.at_once),
        "waves": _span(outage.waves),
        "minutes": None if outage.is_for_good else _span(outage.minutes),
        "gpusOut": _span(outage.gpus if outage.is_for_good else outage.gpus_out),
        "gpuHours": None if outage.is_for_good else _span(outage.gpu_hours),
    }


def _span(span: Span) -> Fields:
    return {"low": span.low, "high": span.high}


def _allocations(change: AllocationChange) -> Fields:
    return {
        "teams": [
            {"team": each.team, "before": float(each.before), "after": float(each.after)}
            for each in change.teams
        ],
        "quotas": [_quota(each) for each in change.quotas],
        "pools": [_pool(each) for each in change.pools],
        "sizes": [_named(each, ("pool", "before", "after", "gpus")) for each in change.sizes],
    }


def _quota(change: QuotaChange) -> Fields:
    line = change.after or change.before
    names = {} if line is None else _named(line, ("namespace", "team", "pool", "resource"))
    return {**names, **_sides(change.before, change.after, ("own", "reach"))}


def _pool(change: PoolChange) -> Fields:
    line = change.after or change.before
    names = {} if line is None else _named(line, ("pool", "resource"))
    amounts = _sides(change.before, change.after, ("nodes", "capacity", "promised"))
    return {**names, **amounts, "over": change.over}


def _named(line: Any, names: tuple[str, ...]) -> Fields:
    return {name: getattr(line, name) for name in names}


def _sides(before: Any, after: Any, names: tuple[str, ...]) -> Fields:
    sides = (("before", before), ("after", after))
    return {key: None if line is None else _named(line, names) for key, line in sides}


def _pin(change: PinChange) -> Fields:
    return {
        "kind": change.pin.kind.value,
        "name": change.pin.name,
        "old": change.old,
        "new": change.new,
        "verdict": change.verdict.word,
        "isRecorded": change.is_recorded,
        "rollout": change.rollout,
        "changes": [{"verdict": each.verdict.word, "what": each.what} for each in change.changes],
        "sources": change.sources,
    }


def _bump(bump: VersionBump) -> Fields:
    return {
        "asked": bump.asked.word,
        "stated": bump.declared.word,
        "isEnough": bump.is_enough,
        "least": bump.least,
    }


def _workloads(impact: WorkloadImpact) -> Fields:
    return {
        "read": impact.read,
        "refusedAlready": impact.refused_already,
        "refused": [
            {"workload": each.workload, "rule": each.rule, "message": each.message}
            for each in impact.refused
        ],
        "resourcesGone": [_loss(each) for each in impact.resources],
        "poolsGone": [_loss(each) for each in impact.pools],
    }


def _loss(loss: Loss) -> Fields:
    return {"name": loss.name, "workloads": loss.workloads}
