"""What the cluster file says of pools, namespaces and quotas, as series that are constants."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.constant import constant
from charts_py.components.team.limit_range import default_memory, default_millicpu
from charts_py.metrics.kube_state_metric import in_metrics
from charts_py.metrics.recorded import (
    GPUS_PER_ALLOCATION,
    GPUS_PER_INSTANCE,
    GPUS_PER_NODE,
    LEAST_REQUEST,
    NAMESPACE_INFO,
    POOL_INFO,
    QUOTA,
)
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.team_labels import team_labels
from gpus.gpus_per_allocation import gpus_per_allocation
from gpus.platform_names import COST_CENTER, PROJECT, TEAM
from gpus.vendor import AMD, NVIDIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
    from charts_py.platform.recording_rule import RecordingRule


def platform_facts(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the facts of every pool, and of every namespace of a team."""
    for pool in platform.pools:
        yield from _pool_facts(pool)
    for namespace in platform.namespaces:
        yield from _namespace_facts(platform, namespace)


def _pool_facts(pool: PlatformPool) -> Iterator[RecordingRule]:
    spec, facts = pool.spec, pool.facts
    model, machine = pool.hardware.model, spec.instance_type
    yield constant(
        POOL_INFO,
        1,
        pool.name,
        model.name,
        model.vendor,
        spec.purpose,
        spec.purchase,
        machine or "",
    )
    yield constant(
        GPUS_PER_NODE, facts.gpus_per_node, pool.name, facts.allocator, facts.sharing.kind
    )
    for resource in facts.resources:
        gpus = gpus_per_allocation(facts, resource)
        yield constant(GPUS_PER_ALLOCATION, gpus, pool.name, in_metrics(resource.name))
    if pool.vendor in {AMD, NVIDIA}:
        yield from _rows_of_the_exporter(pool)
    yield constant(LEAST_REQUEST, default_millicpu((pool,)) / 1000, pool.name, "cpu")
    yield constant(LEAST_REQUEST, default_memory((pool,)), pool.name, "memory")


def _rows_of_the_exporter(pool: PlatformPool) -> Iterator[RecordingRule]:
    """Yield the size of a whole GPU, and of instances of every profile, not of the layout alone.

    Nodes may still have, or have failed to leave, another layout.
    """
    yield constant(GPUS_PER_INSTANCE, 1, pool.name, "")
    geometry = pool.hardware.model.mig
    if pool.facts.sharing.mig and geometry:
        for profile in geometry.profiles:
            part = Fraction(profile.compute_slices, geometry.compute_slices)
            yield constant(GPUS_PER_INSTANCE, part, pool.name, profile.name)


def _namespace_facts(platform: Platform, namespace: TeamNamespace) -> Iterator[RecordingRule]:
    labels = team_labels(namespace)
    of_team = (labels[name] for name in (TEAM, COST_CENTER, PROJECT))
    yield constant(NAMESPACE_INFO, 1, namespace.name, *of_team, namespace.spec.purpose)
    for name in namespace.spec.quota.gpus:
        shares = pool_shares(platform, namespace, platform.pool(name))
        for resource, allocations in shares.items():
            yield constant(QUOTA, allocations, namespace.name, name, in_metrics(resource))
