"""Pools that a change creates; they have no nodes yet."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.fields import kind_of
from gpuplane.plan.pools import ONE_POOL_EACH, pools_of
from gpuplane.versions.comparison import PlacedDocuments


def new_pools(objects: Iterable[PlannedObject], before: PlacedDocuments) -> frozenset[str]:
    """Return the pools of which nothing before had the nodes."""
    there = (
        pool.name
        for placed, document in before.items()
        for pool in pools_of(kind_of(placed.key), document)
    )
    made = (
        pool
        for each in objects
        if each.change is Change.ADDED and kind_of(each.placed.key) in ONE_POOL_EACH
        for pool in each.pools
    )
    return frozenset(made).difference(there)


def without_effects_on(
    objects: Iterable[PlannedObject], pools: Collection[str]
) -> Iterator[PlannedObject]:
    """Yield the objects, without what they would do to nodes of pools that have none."""
    for each in objects:
        effects = (_elsewhere(effect, pools) for effect in each.effects)
        yield replace(each, effects=tuple(sorted(effects, key=lambda one: -one.verdict)))


def _elsewhere(effect: Effect, pools: Collection[str]) -> Effect:
    left = tuple(way for way in effect.rollouts if way.pool not in pools)
    if left or not effect.rollouts:
        return replace(effect, rollouts=left)
    reason = f"{effect.reason} Its pools are new, and no node is there yet."
    return replace(effect, rollouts=(), verdict=Verdict.SAFE, reason=reason)
