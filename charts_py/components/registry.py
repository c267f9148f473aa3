"""Every component there is, in the order of their waves."""

from collections.abc import Callable, Iterator

from charts_py.components import (
    amd_device_config,
    amd_gpu_operator,
    custom_constructs,
    efa_device_plugin,
    gpu_operator,
    gpu_roles,
    gpu_sharing,
    intel_gpu_device_plugin,
    namespaces,
    node_feature_discovery,
    node_pools,
    own_manifests,
    priority_classes,
    team,
    webhook,
    webhook_configuration,
)
from charts_py.components.component import Component
from charts_py.platform.platform import Platform

PLANS: tuple[Callable[[Platform], Iterator[Component]], ...] = (
    namespaces.plan,
    priority_classes.plan,
    gpu_roles.plan,
    gpu_sharing.plan,
    node_feature_discovery.plan,
    gpu_operator.plan,
    amd_gpu_operator.plan,
    intel_gpu_device_plugin.plan,
    efa_device_plugin.plan,
    amd_device_config.plan,
    node_pools.plan,
    team.plan,
    webhook.plan,
    webhook_configuration.plan,
    own_manifests.plan,
    custom_constructs.plan,
)


def plan_components(platform: Platform) -> tuple[Component, ...]:
    """Return the components that a platform needs."""
    return tuple(component for plan in PLANS for component in plan(platform))
