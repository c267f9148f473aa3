"""A recommendation for programs."""

from typing import Any, TypeAlias

from gpuplane.reports.recommendation.choice import Choice
from gpuplane.reports.recommendation.footprint import Footprint, month_of
from gpuplane.reports.recommendation.isolation import ISOLATION
from gpuplane.reports.recommendation.pool_block import pool_fields
from gpuplane.reports.recommendation.recommendation import Layout, Recommendation
from gpuplane.reports.recommendation.recommendation_notes import also_to_change

Fields: TypeAlias = dict[str, Any]

_DECIMALS = 4


def recommendation_fields(recommendation: Recommendation) -> Fields:
    """Return what is recommended, and why."""
    target = recommendation.target
    return {
        "gpu": target.hardware.model.name,
        "gpusPerNode": target.hardware.gpus,
        "currency": target.draft.cluster.cost.currency,
        "workloads": [_choice(choice) for choice in recommendation.choices],
        "pools": [
            _pool(number, layout, recommendation)
            for number, layout in enumerate(recommendation.layouts)
        ],
        **_both(recommendation.before, recommendation.after, recommendation),
    }


def _choice(choice: Choice) -> Fields:
    option = choice.option
    chosen: Fields = {"sharing": None, "resource": None, "podsPerGpu": None}
    if option is not None:
        chosen = {
            "sharing": option.kind,
            "resource": option.facts.resources[0].name,
            "podsPerGpu": float(option.pods_per_gpu / choice.workload.gpus_per_pod),
        }
    refusals = [
        {"sharing": one.kind, "step": one.step, "reason": one.reason, "source": one.source}
        for one in choice.refusals
    ]
    return {"name": choice.name, "pods": choice.workload.pods, **chosen, "notTaken": refusals}


def _pool(number: int, layout: Layout, recommendation: Recommendation) -> Fields:
    target, isolation = recommendation.target, ISOLATION[layout.option.kind]
    is_there = number == 0 and target.in_file
    faults = also_to_change(layout, recommendation) if is_there else ()
    return {
        "name": target.pool_name(number),
        "fields": pool_fields(layout, recommendation),
        "workloads": layout.workloads,
        "allocationsPerNode": layout.option.facts.allocations_per_node,
        "isolation": {
            "memory": isolation.memory,
            "faults": isolation.faults,
            "compute": isolation.compute,
            "source": isolation.source,
        },
        "alsoToChange": [str(fault) for fault in faults],
        **_both(layout.before, layout.after, recommendation),
    }


def _both(before: Footprint, after: Footprint, recommendation: Recommendation) -> Fields:
    return {
        "before": _footprint(before, recommendation),
        "after": _footprint(after, recommendation),
    }


def _footprint(footprint: Footprint, recommendation: Recommendation) -> Fields:
    return {
        "gpus": footprint.gpus,
        "nodes": footprint.nodes,
        "utilisation": round(float(footprint.utilisation), _DECIMALS),
        "month": month_of(footprint.nodes, recommendation.price),
    }
