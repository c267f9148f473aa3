"""The part of a plan about pools that refuse their change."""

from collections.abc import Iterator

from gpuplane.plan.headline import remade_words
from gpuplane.plan.part import Part
from gpuplane.plan.plan import ClusterPlan


def refused_pools_part(plan: ClusterPlan) -> Iterator[Part]:
    if plan.remade:
        yield Part("Pools that stay as they are", notes=tuple(_notes(plan)))


def _notes(plan: ClusterPlan) -> Iterator[str]:
    yield (
        "Cost and capacity count the machines that these pools have, which stay until somebody "
        "deletes a pool and makes it again."
    )
    for pool in plan.remade:
        yield f"If {pool.name} is made again: {remade_words(pool)}."
    if assumed := [pool.name for pool in plan.remade if pool.is_assumed]:
        has_webhook = plan.asked is None or plan.asked.cluster.admission.has_webhook
        who = "The webhook" if has_webhook else "The API server's policy"
        yield (
            f"{who} of this version already assumes the new machines of {', '.join(assumed)}: pods "
            "that it admits for them wait."
        )
