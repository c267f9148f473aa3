"""Pools that a change creates; they have no nodes yet."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, PlannedObject, Verdict
from gpuplane.plan.fields import kind_of
from gpuplane.plan.pools import NODE_GROUPS, ONE_POOL_EACH, pools_of
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject


def new_pools(before: PlacedDocuments, after: PlacedDocuments) -> frozenset[str]:
    """Return the pools of which nothing before had the nodes, and whose nodes an object makes.

    A further pool in a list of eksctl is new, as a new object of its own is.
    """
    keys = {placed.key for placed in before}
    there = (pool for placed, document in before.items() for pool in _pools(placed, document))
    made = (
        pool
        for placed, document in after.items()
        if (placed.key not in keys and kind_of(placed.key) in ONE_POOL_EACH)
        or kind_of(placed.key) == NODE_GROUPS
        for pool in _pools(placed, document)
    )
    return frozenset(made).difference(there)


def _pools(placed: PlacedObject, document: Document) -> Iterator[str]:
    yield from (pool.name for pool in pools_of(kind_of(placed.key), document))


def without_effects_on(
    objects: Iterable[PlannedObject], pools: Collection[str]
) -> Iterator[PlannedObject]:
    """Yield the objects, without what they would do to nodes of pools that have none."""
    for each in objects:
        effects = (_elsewhere(effect, pools) for effect in each.effects)
        yield replace(each, effects=tuple(sorted(effects, key=lambda one: -one.verdict)))


def on_new_cluster(objects: Iterable[PlannedObject]) -> Iterator[PlannedObject]:
    """Yield the objects of a cluster that had none: no workload of the platform starts again."""
    for each in objects:
        yield replace(each, effects=tuple(map(_at_first, each.effects)))


def _at_first(effect: Effect) -> Effect:
    if effect.verdict is not Verdict.DEFERRED:
        return effect
    reason = f"{effect.reason} The cluster is new to the platform: that is so from its start."
    return replace(effect, verdict=Verdict.SAFE, reason=reason)


def _elsewhere(effect: Effect, pools: Collection[str]) -> Effect:
    left = tuple(way for way in effect.rollouts if way.pool not in pools)
    if left or not effect.rollouts:
        return replace(effect, rollouts=left)
    reason = f"{effect.reason} Its pools are new, and no node is there yet."
    return replace(effect, rollouts=(), verdict=Verdict.SAFE, reason=reason)
