"""Adds unplaceable pods to outages and effects."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from charts_py.platform.platform import Platform
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage
from gpuplane.plan.restart import Restart
from gpuplane.plan.rollout import Mechanism
from gpuplane.plan.sources import source


def with_unplaceable(outage: Outage, before: Platform, restarts: Iterable[Restart]) -> Outage:
    """Name the resources whose pods may fit nowhere."""
    if not outage.moves_pods:
        return outage
    short = [each for each in restarts if each.fits_nowhere]
    gone = {each.resource for each in short if not each.is_offered}
    names = {each.pool for each in outage.pools}
    pools = (pool for pool in before.pools if pool.name in names)
    offered = {resource.name for pool in pools for resource in pool.facts.resources}
    unplaceable = offered.intersection(each.resource for each in short)
    moves_none = bool(offered) and offered <= gone
    return replace(outage, unplaceable=tuple(sorted(unplaceable)), moves_none=moves_none)


def with_restarts(
    planned: Iterable[PlannedObject],
    outages: Iterable[Outage],
    restarts: Iterable[Restart],
    before: Platform,
) -> Iterator[PlannedObject]:
    """Yield the objects, with what becomes of pods that an object alone cannot know."""
    found = _Stopped(tuple(outages), tuple(restarts), before)
    for one in planned:
        of_quota = one.placed.key.kind == "ResourceQuota" and one.change is Change.CHANGED
        namespace = one.placed.key.namespace
        effects = (
            found.of_quota(namespace, each) if of_quota else found.of_nodes(each)
            for each in one.effects
        )
        yield replace(one, effects=tuple(sorted(effects, key=lambda each: -each.verdict)))


def stopped_pools(outages: Iterable[Outage], before: Platform, namespace: str) -> tuple[str, ...]:
    """Return the pools in the quota of a namespace on which pods stop."""
    stopped = {pool.pool for each in outages if each.stops_pods for pool in each.pools}
    quotas = (each.spec.quota for each in before.namespaces if each.name == namespace)
    return tuple(pool for quota in quotas for pool in quota.gpus if pool in stopped)


@dataclass(frozen=True, slots=True)
class _Stopped:
    """Pods that a change stops."""

    outages: tuple[Outage, ...]
    restarts: tuple[Restart, ...]
    before: Platform

    def of_quota(self, namespace: str, effect: Effect) -> Effect:
        """Say of a lowered quota that it counts pods which the same change stops."""
        if effect.verdict is not Verdict.DEFERRED:
            return effect
        for each in self.restarts:
            if effect.field.endswith(f'["requests.{each.resource}"]'):
                return self._of_resource(namespace, effect, each)
        pools = ", ".join(stopped_pools(self.outages, self.before, namespace))
        if not pools:
            return effect
        stopped = f"The same change stops pods on {pools}, which count as new ones."
        return replace(effect, reason=f"{effect.reason} {stopped}")

    def _of_resource(self, namespace: str, effect: Effect, restart: Restart) -> Effect:
        found = (each for each in restart.holdings if each.namespace == namespace and each.refused)
        if not restart.is_offered or (one := next(found, None)) is None:
            return effect
        reason = (
            f"The same change stops pods that it counts: {one.count - one.refused} of "
            f"{one.words(restart.resource)} start again, and others are refused until usage "
            "is below it."
        )
        return replace(effect, verdict=Verdict.DISRUPTIVE, reason=reason)

    def of_nodes(self, effect: Effect) -> Effect:
        """Say of nodes that are replaced what becomes of pods that fit nowhere else."""
        for each in self.outages:
            if each.unplaceable and each.rollout in effect.rollouts:
                return replace(effect, reason=f"{effect.reason} {_unplaceable(each)}")
        return effect


def _unplaceable(outage: Outage) -> str:
    resources = ", ".join(outage.unplaceable)
    if not outage.stays:
        return (
            f"Its pods are evicted whether or not they fit elsewhere, and so are those that ask "
            f"for {resources} ({source('karpenter_static_drift')})."
        )
    exempt = (
        " Pods that must not be evicted do not hold it: they go once terminationGracePeriod ends."
        if outage.rollout.mechanism is Mechanism.DRIFT and outage.rollout.drain_seconds is not None
        else ""
    )
    return (
        f"A node stays as it is while a pod of it fits nowhere else, as one that asks for "
        f"{resources}, until somebody deletes it or the node expires "
        f"({source('karpenter_disruption')}).{exempt}"
    )
