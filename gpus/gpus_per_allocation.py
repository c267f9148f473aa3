"""What one allocation of a resource is, in GPUs, and of its node."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpus.pool_facts import AdvertisedResource, PoolFacts


def gpus_per_allocation(facts: PoolFacts, resource: AdvertisedResource) -> Fraction:
    """Return how much of a GPU one allocation of a resource of the pool is.

    A MIG instance is its compute slices' part of those of the GPU; what pods share is divided by
    their number. Where instances of several profiles go by one name, it is their mean.
    """
    layout = dict(facts.sharing.mig)
    if resource.mig_profile is not None:
        layout = {resource.mig_profile: 1}
    return _mean_instance(facts, layout) / facts.sharing.replicas


def node_part(facts: PoolFacts, resource: AdvertisedResource) -> Fraction:
    """Return the part of a node that belongs to one allocation of a resource of the pool.

    All that the node offers share it out, by what they are of a GPU.
    """
    offered = sum(gpus_per_allocation(facts, each) * each.per_node for each in facts.resources)
    return gpus_per_allocation(facts, resource) / offered


def _mean_instance(facts: PoolFacts, layout: dict[str, int]) -> Fraction:
    """Return the mean of the instances of a layout, in GPUs; 1 without MIG."""
    geometry = facts.model.mig
    if geometry is None or not layout:
        return Fraction(1)
    slices = sum(geometry.profile(name).compute_slices * n for name, n in layout.items())
    return Fraction(slices, geometry.compute_slices * sum(layout.values()))
