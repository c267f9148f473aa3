"""Constants of the cluster file: pools, controllers, namespaces, quotas, prices and budgets."""

from collections.abc import Iterator
from fractions import Fraction

from charts_py.components.team.quota import default_memory, default_millicpu
from charts_py.metrics.series import in_metrics, recorded_series
from charts_py.platform.fabric import fabric
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.metrics_collection import RecordingRule
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace, team_labels
from gpus.model import AMD, NVIDIA
from gpus.platform_names import COST_CENTER, PROJECT, TEAM
from gpus.pool_facts import gpus_per_allocation


def platform_facts(platform: Platform) -> Iterator[RecordingRule]:
    for pool in platform.pools:
        yield from _pool_facts(pool)
        for resource, interfaces in fabric(platform, pool).resources.items():
            yield _constant(
                "gpuplane_pool_network_interfaces", interfaces, pool.name, in_metrics(resource)
            )
    for namespace in platform.namespaces:
        yield from _namespace_facts(platform, namespace)
    for each in platform.contribution.controllers:
        yield _constant("gpuplane_controller_info", 1, each.namespace, each.deployment, each.effect)


def _pool_facts(pool: PlatformPool) -> Iterator[RecordingRule]:
    spec, facts = pool.spec, pool.facts
    model, machine = pool.hardware.model, spec.instance_type
    yield _constant(
        "gpuplane_pool_info",
        1,
        pool.name,
        model.name,
        model.vendor,
        spec.purpose,
        spec.purchase,
        machine or "",
    )
    yield _constant(
        "gpuplane_pool_gpus_per_node",
        facts.gpus_per_node,
        pool.name,
        facts.allocator,
        facts.sharing.kind,
    )
    if pool.min_nodes:
        yield _constant("gpuplane_pool_least_nodes", pool.min_nodes, pool.name)
    for resource in facts.resources:
        gpus = gpus_per_allocation(facts, resource)
        yield _constant(
            "gpuplane_pool_gpus_per_allocation", gpus, pool.name, in_metrics(resource.name)
        )
    if pool.vendor in {AMD, NVIDIA}:
        yield from _rows_of_the_exporter(pool)
    yield _constant(
        "gpuplane_pool_least_request", default_millicpu((pool,)) / 1000, pool.name, "cpu"
    )
    yield _constant("gpuplane_pool_least_request", default_memory((pool,)), pool.name, "memory")


def _rows_of_the_exporter(pool: PlatformPool) -> Iterator[RecordingRule]:
    """Yield the size of a whole GPU, and of instances of every profile, not of the layout alone.

    Nodes may still have, or have failed to leave, another layout.
    """
    yield _constant("gpuplane_pool_gpus_per_instance", 1, pool.name, "")
    geometry = pool.hardware.model.mig
    if pool.facts.sharing.mig and geometry:
        for profile in geometry.profiles:
            part = Fraction(profile.compute_slices, geometry.compute_slices)
            yield _constant("gpuplane_pool_gpus_per_instance", part, pool.name, profile.name)


def _namespace_facts(platform: Platform, namespace: TeamNamespace) -> Iterator[RecordingRule]:
    labels = team_labels(namespace)
    of_team = (labels[name] for name in (TEAM, COST_CENTER, PROJECT))
    yield _constant("gpuplane_namespace_info", 1, namespace.name, *of_team, namespace.spec.purpose)
    for name in namespace.spec.quota.gpus:
        shares = pool_shares(platform, namespace, platform.pool(name))
        for resource, allocations in shares.items():
            yield _constant(
                "gpuplane_namespace_quota", allocations, namespace.name, name, in_metrics(resource)
            )


def prices(platform: Platform) -> Iterator[RecordingRule]:
    for pool in platform.pools:
        price = platform.price_of(pool)
        if price is not None:
            labels = (pool.name, pool.spec.purchase, price.currency)
            yield _constant("gpuplane_pool_gpu_hour_price", price.gpu_hour, *labels)


def budgets(platform: Platform) -> Iterator[RecordingRule]:
    currency = platform.cluster.cost.currency
    for name, team in sorted(platform.cluster.teams.items()):
        if team.budget is not None:
            yield _constant("gpuplane_team_budget", team.budget, name, currency)


def _constant(series: str, value: float | Fraction, *labels: str) -> RecordingRule:
    """Return the rule of one series, with the values of its labels in their order.

    An empty value is not a label. A fraction stays one, as `vector(1/7)`, which a person can check.
    """
    named = zip(recorded_series(series).labels, labels, strict=True)
    declared = {name: str(label) for name, label in named if label}
    return RecordingRule(series, f"vector({value})", declared)
