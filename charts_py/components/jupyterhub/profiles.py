"""What users of a hub choose among: a notebook without GPUs, and one on each part of the pools.

A notebook on a pool is one that admission leaves as it is: it has its part of a node, as the pods
have that `gpuplane new notebook` prints. Fields of a profile are those of KubeSpawner:
https://github.com/jupyterhub/kubespawner/blob/7.1.0/kubespawner/spawner.py (`profile_list`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from charts_py.cluster_file.quantity import bytes_of, millicpu_of
from charts_py.objects.pods import tolerations_of
from charts_py.platform.fabric import allocation_share
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from gpus.model import HOST_ARCHITECTURE, NVIDIA, USUAL_ARCHITECTURE
from gpus.platform_names import POOL
from gpus.pool_facts import AdvertisedResource
from gpus.sharing import SharingKind
from policies.quantity import format_bytes
from policies.rules.shared_memory import PATH, share_of_memory

Profile: TypeAlias = Mapping[str, Any]
_MIB, _GIB = 2**20, 2**30
_WITHOUT_GPUS = (2000, 8 * _GIB)
_CPU_STEP = 100
"""Thousandths; KubeSpawner reads CPUs as a decimal fraction."""


def profiles(platform: Platform, namespace: TeamNamespace) -> list[Profile]:
    """Return the profiles of a hub in a namespace, the default one first."""
    compute = _compute(namespace, *_WITHOUT_GPUS)
    without = _profile("cpu", "No GPU", compute, {}) | {"default": True}
    return [without, *_on_pools(platform, namespace)]


def _on_pools(platform: Platform, namespace: TeamNamespace) -> Iterator[Profile]:
    for name in namespace.spec.quota.pools:
        pool = platform.pool(name)
        shares = pool_shares(platform, namespace, pool)
        for resource in pool.facts.resources:
            if shares[resource.name]:
                yield _on_pool(platform, namespace, pool, resource)


def _on_pool(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool, resource: AdvertisedResource
) -> Profile:
    millicpu, memory = _compute(namespace, *allocation_share(pool, 1))
    slug = f"{pool.name}-{resource.name.rpartition('/')[2]}".replace(".", "-")
    gpus = {resource.name: "1"}
    overrides = {
        "extra_resource_guarantees": gpus,
        "extra_resource_limits": gpus,
        "node_selector": _node_selector(pool),
        "tolerations": tolerations_of(pool.facts.taints),
        **_queue(platform, namespace),
        **_runtime(platform, pool),
        **_shared_memory(platform, pool, memory),
    }
    return _profile(slug, _title(pool, resource), (millicpu, memory), overrides)


def _profile(
    slug: str, title: str, compute: tuple[int, int], overrides: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a profile whose pods request what they are limited to, and so are evicted last."""
    cpu, mebibytes = compute[0] / 1000, compute[1] // _MIB
    size = {"cpu": cpu, "mem": f"{mebibytes}M"}
    bounds = {f"{key}_{kind}": size[key] for key in size for kind in ("guarantee", "limit")}
    return {
        "slug": slug,
        "display_name": title,
        "description": f"{cpu:g} CPUs and {mebibytes / 1024:.4g} GiB of memory",
        "kubespawner_override": {**bounds, **overrides},
    }


def _compute(namespace: TeamNamespace, millicpu: int, memory: int) -> tuple[int, int]:
    """Return what a notebook gets: no more than the namespace has, in whole steps and MiB."""
    quota = namespace.spec.quota
    cpu, most = min(millicpu, millicpu_of(quota.cpu)), min(memory, bytes_of(quota.memory))
    return cpu - cpu % _CPU_STEP or cpu, most - most % _MIB


def _title(pool: PlatformPool, resource: AdvertisedResource) -> str:
    part = f"{resource.mig_profile} of " if resource.mig_profile else ""
    share = "a share of " if resource.shared else ""
    return f"{pool.name}: {share}{part}{pool.hardware.model.name}"


def _node_selector(pool: PlatformPool) -> Mapping[str, str]:
    architecture = pool.hardware.model.host_architecture
    built_for = {} if architecture == USUAL_ARCHITECTURE else {HOST_ARCHITECTURE: architecture}
    return {POOL: pool.name, **built_for}


def _queue(platform: Platform, namespace: TeamNamespace) -> Mapping[str, Any]:
    scheduler = policy_settings(platform).queue_scheduler
    if scheduler is None:
        return {}
    labels = scheduler.labels_in(namespace.name)
    return {"scheduler_name": scheduler.name, **({"extra_labels": dict(labels)} if labels else {})}


def _runtime(platform: Platform, pool: PlatformPool) -> Mapping[str, Any]:
    name = platform.cluster.policies.runtime_class
    is_named = name is not None and pool.vendor == NVIDIA
    return {"extra_pod_config": {"runtimeClassName": name}} if is_named else {}


def _shared_memory(platform: Platform, pool: PlatformPool, memory: int) -> Mapping[str, Any]:
    """Return memory at `/dev/shm`; nothing for MPS, whose own memory it would hide."""
    if pool.facts.sharing.kind is SharingKind.MPS:
        return {}
    size = format_bytes(share_of_memory(memory, policy_settings(platform).shared_memory))
    volume = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    return {
        "volumes": {"shm": volume},
        "volume_mounts": {"shm": {"name": "shm", "mountPath": PATH}},
    }
