"""Tells outages and objects which pods do not start again: alone, none of them can know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from charts_py.platform.platform import Platform
from gpuplane.plan.effect import Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage
from gpuplane.plan.restart import Holding, Restart
from gpuplane.plan.rollout import Rollout
from gpuplane.plan.sources import source


def with_homeless(outage: Outage, before: Platform, restarts: Iterable[Restart]) -> Outage:
    """Name the resources of its pools of which pods may fit nowhere, where nodes are replaced."""
    if not outage.moves_pods:
        return outage
    short = {each.resource: each.is_offered for each in restarts if each.fits_nowhere}
    names = {each.pool for each in outage.pools}
    pools = (pool for pool in before.pools if pool.name in names)
    offered = {resource.name for pool in pools for resource in pool.facts.resources}
    moves_none = all(short.get(each, True) is False for each in offered)
    return replace(outage, homeless=tuple(sorted(offered & short.keys())), moves_none=moves_none)


def with_restarts(
    planned: Iterable[PlannedObject], outages: Iterable[Outage], restarts: Sequence[Restart]
) -> Iterator[PlannedObject]:
    """Yield the objects, with what becomes of pods that an object alone cannot know."""
    by_rollout = {each.rollout: each for each in outages if each.homeless}
    refused = {
        (holding.namespace, f'["requests.{each.resource}"]'): holding
        for each in restarts
        if each.is_offered
        for holding in each.holdings
        if holding.refused
    }
    for one in planned:
        effects = tuple(_effect(one, each, by_rollout, refused) for each in one.effects)
        yield one if effects == one.effects else replace(one, effects=effects)


def _effect(
    one: PlannedObject,
    effect: Effect,
    outages: Mapping[Rollout, Outage],
    refused: Mapping[tuple[str, str], Holding],
) -> Effect:
    key = one.placed.key
    _, bracket, name = effect.field.partition("[")
    if key.kind == "ResourceQuota" and (found := refused.get((key.namespace, f"{bracket}{name}"))):
        starting = found.count - found.refused
        reason = (
            f"The same change stops pods that it counts: {starting} of {found.most} start again, "
            "and others are refused until usage is below it."
        )
        return replace(effect, verdict=Verdict.DISRUPTIVE, reason=reason)
    left = next((outages[way] for way in effect.rollouts if way in outages), None)
    if left is None:
        return effect
    return replace(effect, reason=f"{effect.reason} {_homeless(left)}")


def _homeless(outage: Outage) -> str:
    resources = ", ".join(outage.homeless)
    if not outage.stays:
        return (
            f"Its pods are evicted whether or not they fit elsewhere, and so are those that ask "
            f"for {resources} ({source('karpenter_static_drift')})."
        )
    exempt = (
        " Pods that must not be evicted do not hold it: they go once terminationGracePeriod ends."
        if outage.rollout.drain_seconds is not None
        else ""
    )
    return (
        f"A node stays as it is while a pod of it fits nowhere else, as one that asks for "
        f"{resources}, until somebody deletes it or the node expires "
        f"({source('karpenter_disruption')}).{exempt}"
    )
