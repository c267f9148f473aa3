"""The settings of the admission policies, as they follow from a cluster."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec.structs import replace

from charts_py.cluster_file import policies as spec
from charts_py.cluster_file.policies import SharedMemory
from charts_py.cluster_file.quantity import bytes_of, millicpu_of
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.platform.node_cache import bytes_on
from charts_py.platform.node_labels import absent_labels, passing_labels, pool_labels
from charts_py.platform.platform import (
    Platform,
    PlatformPool,
    TeamNamespace,
    owner_label,
    team_labels,
)
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES, OPEN_NAMESPACE
from gpus.allocator import device_class_resource
from gpus.instance_type import Interconnect
from gpus.platform_names import OWNER, PURPOSE
from gpus.pool_facts import PoolFacts
from policies.custom_rule import CustomRule
from policies.quantity import format_bytes
from policies.settings import (
    EFA_RESOURCE,
    GPU_RUNTIME_CLASSES,
    EnforcedSecurity,
    NamespaceSettings,
    NodeNameSettings,
    OfferedResource,
    PoolSettings,
    RuleException,
    Settings,
    SharedMemorySettings,
)

_KNOWN_PLATFORMS = 16
"""Several components of a platform ask for its settings, which take a while to work out."""


@lru_cache(_KNOWN_PLATFORMS)
def policy_settings(platform: Platform) -> Settings:
    policies = platform.cluster.policies
    return Settings(
        cluster=platform.name,
        pools=tuple(_pool(platform, pool) for pool in platform.pools),
        namespaces={each.name: _namespace(platform, each) for each in platform.namespaces},
        mode=policies.mode,
        modes=policies.rules,
        exceptions=tuple(
            RuleException(each.rule, each.namespace, each.reason, each.owner, each.expires)
            for each in policies.exceptions
        ),
        shared_memory=shared_memory_settings(policies.shared_memory),
        unequal_gpus=policies.unequal_gpus,
        registries=platform.mirrors.allowed(policies.registries),
        runtime_class=policies.runtime_class,
        gpu_runtime_classes=_gpu_runtime_classes(platform),
        reserved_priority_classes=platform.contribution.reserved_priority_classes,
        node_names=NodeNameSettings(policies.node_names.users, policies.node_names.groups),
        queue_scheduler=platform.contribution.queue_scheduler,
        max_grace_period_seconds=policies.max_grace_period_seconds,
        queue_priority=platform.contribution.queue_priority,
        absent_labels=_absent_labels(platform),
        replaces_ended_only=platform.cluster.queue_engine is QueueEngine.KUEUE,
        schedulers=policies.schedulers,
        uncounted=platform.contribution.uncounted,
        pod_security_user=policies.pod_security_user if policies.pod_security_defaults else None,
        exempt_namespaces=_exempt_namespaces(platform),
        exempt_service_accounts=(
            *policies.exempt.service_accounts,
            *platform.contribution.exempt_service_accounts,
        ),
        own=tuple(_own_rule(name, rule) for name, rule in policies.own.items()),
    )


def _own_rule(name: str, rule: spec.CustomRule) -> CustomRule:
    return CustomRule(
        name,
        rule.expression,
        rule.message or "",
        rule.message_expression or "",
        rule.severity,
        rule.audience,
        rule.apply or "",
    )


def _gpu_runtime_classes(platform: Platform) -> tuple[str, ...]:
    """Return the classes that the GPU operator makes, and the one that the cluster file names."""
    host = platform.provider.host(platform.driver_owner)
    named = {*GPU_RUNTIME_CLASSES, host.runtime_class, platform.cluster.policies.runtime_class}
    return tuple(sorted(name for name in named if name is not None))


def _pool(platform: Platform, pool: PlatformPool) -> PoolSettings:
    facts, kept = pool.facts, platform.provider.kept
    cpu, memory = pool.hardware.most_cpu, pool.hardware.most_memory
    daemons = [asked for name, asked in platform.contribution.daemons if name == pool.name]
    millicpu = sum(millicpu_of(asked["cpu"]) for asked in daemons)
    requested = sum(bytes_of(asked["memory"]) for asked in daemons)
    return PoolSettings(
        name=pool.name,
        vendor=pool.vendor,
        resources=tuple(_resources(facts)),
        cpu=cpu,
        memory=max(memory - kept.memory_bytes(memory) - requested, 0),
        labels={
            **facts.labels,
            **facts.passing_labels,
            **passing_labels(platform.provider, platform.cluster, pool.spec),
        },
        pool_labels=pool_labels(platform.provider, platform.cluster),
        fixed_labels=facts.fixed_labels,
        taints=facts.taints,
        kept_millicpu=kept.millicpu(cpu) + millicpu,
        daemons={"cpu": f"{millicpu}m", "memory": format_bytes(requested)} if daemons else {},
        disk=_disk(platform, pool),
        others=_others(pool),
    )


def _disk(platform: Platform, pool: PlatformPool) -> int | None:
    """Return the most that pods can have beside models that nodes keep.

    None where a patch may say another disk.
    """
    provider, patches = platform.provider, platform.cluster.extensions.patches
    is_patched = any(each.kind in (provider.node_kind, "ClusterConfig") for each in patches)
    most = provider.most_disk(pool.hardware, platform.driver_owner)
    return None if is_patched or most is None else most - bytes_on(platform, pool.name)


def _others(pool: PlatformPool) -> Mapping[str, int | None]:
    """Return what a node offers beside its GPUs: the devices of its network."""
    if pool.hardware.interconnect is Interconnect.EFA:
        return {EFA_RESOURCE: pool.hardware.interconnect_interfaces or None}
    return {} if pool.spec.rdma_resource is None else {pool.spec.rdma_resource: None}


def _resources(facts: PoolFacts) -> Iterator[OfferedResource]:
    """Yield what a node offers; with DRA also by the name of its DeviceClass."""
    for resource in facts.resources:
        offered = OfferedResource(
            name=resource.name,
            per_node=resource.per_node,
            sharing=facts.sharing.kind,
            mig_profile=resource.mig_profile,
        )
        yield offered
        if facts.device_class is not None:
            name = device_class_resource(facts.device_class)
            yield replace(offered, name=name, same_as=resource.name)


def _absent_labels(platform: Platform) -> tuple[str, ...]:
    stated = {key for pool in platform.pools for key in pool.facts.labels}
    return tuple(sorted({*absent_labels(platform.provider, platform.cluster)} - stated))


def _namespace(platform: Platform, namespace: TeamNamespace) -> NamespaceSettings:
    purpose = namespace.spec.purpose.value
    owner = owner_label(namespace.team.owner)
    return NamespaceSettings(
        team=namespace.team_name,
        purpose=purpose,
        default_priority=default_priority(platform, namespace),
        priorities=namespace.team.priorities,
        labels={**team_labels(namespace), OWNER: owner, PURPOSE: purpose},
        spot=namespace.spec.spot,
        pools=namespace.spec.quota.pools,
        modes=namespace.spec.rules,
        pod_security=EnforcedSecurity(
            namespace.spec.pod_security, platform.cluster.kubernetes.minor
        ),
    )


def default_priority(platform: Platform, namespace: TeamNamespace) -> str:
    """Return the class of GPU pods that name none.

    It is the team's class that is named as the purpose, or else its lowest.
    """
    allowed, ladder = namespace.team.priorities, platform.cluster.priorities
    if namespace.spec.purpose in allowed:
        return namespace.spec.purpose.value
    return min(allowed, key=lambda name: ladder[name].value)


def shared_memory_settings(spec: SharedMemory) -> SharedMemorySettings:
    return SharedMemorySettings(
        fraction=spec.fraction,
        floor=bytes_of(spec.floor),
        cap=bytes_of(spec.cap),
        default=bytes_of(spec.default),
    )


def _exempt_namespaces(platform: Platform) -> tuple[str, ...]:
    """Return the namespaces of Kubernetes, of the platform, and of the systems that it needs.

    Agents of the monitoring, such as a node exporter, mount the node's whole file system.
    """
    cluster = platform.cluster
    stood_on = {
        cluster.gitops.argocd_namespace,
        *platform.monitoring.namespaces,
        *platform.provider.managed_namespaces,
    }
    own = {each.name for each in platform.contribution.namespaces}
    kubernetes = KUBERNETES_NAMESPACES - {OPEN_NAMESPACE}
    return tuple(sorted(kubernetes | own | stood_on | set(cluster.policies.exempt.namespaces)))
