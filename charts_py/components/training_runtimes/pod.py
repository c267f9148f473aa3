"""The pods of a training job on a pool: each takes all GPUs of a node."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.fabric import (
    CHANNEL_TEMPLATE,
    GRACE_SECONDS,
    NODE,
    Fabric,
    fabric,
    node_share,
    runtime_levels,
)
from charts_py.platform.nvlink_domain import IN_ONE_DOMAIN, is_placed_by_queue
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pod_topology import WITH_LAUNCHER, near_each_other
from charts_py.platform.policy_settings import shared_memory_settings
from charts_py.platform.pool_hardware import NVLINK_DOMAIN
from gpus.model import HOST_ARCHITECTURE, USUAL_ARCHITECTURE
from gpus.platform_names import POOL, PURCHASE
from policies.quantity import format_bytes
from policies.rules.shared_memory import PATH, share_of_memory
from policies.settings import PodSecurity
from policies.workloads.job_label import JOB_SET

USER = 1000
_NOT_EVICTED = {"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"}
_NOT_DISRUPTED = {"karpenter.sh/do-not-disrupt": "true"}
"""Annotations by which autoscalers leave a pod where it is: a job that loses one starts anew.
https://karpenter.sh/v1.14/concepts/disruption/#pod-level-controls and
https://github.com/kubernetes/autoscaler (cluster-autoscaler/FAQ.md)"""
_POD_SECURITY = {
    "runAsNonRoot": True,
    "runAsUser": USER,
    "runAsGroup": USER,
    "fsGroup": USER,
    "seccompProfile": {"type": "RuntimeDefault"},
}
_CONTAINER_SECURITY = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
"""Settings of the pod and of the container, as the level `restricted` has them:
https://kubernetes.io/docs/concepts/security/pod-security-standards/"""
_HOME = {"HOME": "/tmp", "USER": "trainer"}  # noqa: S108 # of the container alone
"""Set for a user that the image does not know: PyTorch needs a user name for its cache."""
_CLAIM = {"name": "channel", "resourceClaimTemplateName": CHANNEL_TEMPLATE}
_VOLUME = "shared-memory"


@dataclass(frozen=True, slots=True)
class PodRole:
    """What one job of a framework sets in its pods."""

    image: str
    container: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the container."""
    knows_user: bool = False
    """Whether the image has the user `USER`, and works as no other."""
    has_launcher: bool = False
    """Whether its pods are of two templates, one of which makes the launcher."""


def pod_template(platform: Platform, pool: PlatformPool, role: PodRole) -> Document:
    """Return the template of pods that admission leaves as they are but for what is a team's."""
    network = fabric(platform, pool, runtime_levels(platform, pool))
    is_root = not role.knows_user and locks_memory(platform, pool, network)
    spec: Document = {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": GRACE_SECONDS,
        "nodeSelector": _node_selector(pool),
        "tolerations": tolerations_of(pool.facts.taints),
    }
    is_placed = network.claims_channel and is_placed_by_queue(platform, pool)
    if network.claims_channel and not is_placed:
        spec["affinity"] = _one_domain()
    if not is_root:
        spec["securityContext"] = _POD_SECURITY
    if network.claims_channel:
        spec["resourceClaims"] = [_CLAIM]
    if network.beside:
        spec["initContainers"] = [
            {**each, "image": platform.mirrors.of(each["image"])} for each in network.beside
        ]
    spec["containers"] = [_container(platform, pool, role, network, is_root=is_root)]
    spec["volumes"] = [_shared_memory(platform, pool), *network.volumes]
    spec |= pull_secrets(platform.cluster.pull_secret_names)
    left_alone = _left_alone(pool) if platform.provider.makes_nodes else {}
    placed = IN_ONE_DOMAIN if is_placed else near_each_other(platform, pool)
    together = WITH_LAUNCHER if placed and role.has_launcher else {}
    annotations = {**left_alone, **placed, **together, **network.annotations}
    return {**({"metadata": {"annotations": annotations}} if annotations else {}), "spec": spec}


def _left_alone(pool: PlatformPool) -> Mapping[str, str]:
    """Return annotations by which autoscalers leave a pod alone, but for Karpenter on spot nodes.

    It would not evict such a pod when EC2 takes the node back, whose two minutes would pass
    without a signal (`IsEvictable` in pkg/utils/pod/scheduling.go of
    https://github.com/kubernetes-sigs/karpenter at v1.14.0).
    """
    return _NOT_EVICTED if pool.facts.spot_taint else {**_NOT_EVICTED, **_NOT_DISRUPTED}


def locks_memory(platform: Platform, pool: PlatformPool, network: Fabric) -> bool:
    """Return whether pods on the pool get the capability that locks memory, and run as root.

    The capability has no effect on another user. Every namespace with a quota on the pool has to
    allow it, since its runtime is the same for all.
    """
    levels = runtime_levels(platform, pool)
    return bool(network.capabilities) and levels == {PodSecurity.PRIVILEGED}


def _container(
    platform: Platform, pool: PlatformPool, role: PodRole, network: Fabric, *, is_root: bool
) -> Document:
    needs_home = not is_root and not role.knows_user
    environment = {**(_HOME if needs_home else {}), **network.environment}
    security = {"capabilities": {"add": list(network.capabilities)}}
    return {
        "name": NODE,
        "image": platform.mirrors.of(role.image),
        **role.container,
        "env": [{"name": name, "value": value} for name, value in sorted(environment.items())],
        "resources": _resources(pool, network),
        "securityContext": security if is_root else _CONTAINER_SECURITY,
        "volumeMounts": [{"name": _VOLUME, "mountPath": PATH}, *network.mounts],
    }


def _node_selector(pool: PlatformPool) -> dict[str, str]:
    architecture = pool.hardware.model.host_architecture
    is_other = architecture != USUAL_ARCHITECTURE
    return {
        POOL: pool.name,
        **({PURCHASE: pool.spec.purchase.value} if pool.facts.spot_taint else {}),
        **({HOST_ARCHITECTURE: architecture} if is_other else {}),
    }


def _one_domain() -> Document:
    """Return the affinity of the pods of one job, which NVLink has to join."""
    label = JOB_SET.key
    term = {
        "labelSelector": {"matchExpressions": [{"key": label, "operator": "Exists"}]},
        "matchLabelKeys": [label],
        "topologyKey": NVLINK_DOMAIN,
    }
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def _resources(pool: PlatformPool, network: Fabric) -> Document:
    """Return requests and limits, with a limit on GPUs, which Trainer counts its processes by."""
    (gpus,) = pool.facts.resources
    share = node_share(pool, pool.facts.gpus_per_node)
    devices = {gpus.name: gpus.per_node, **network.resources}
    limits = {**{name: str(count) for name, count in devices.items()}, "memory": _memory(pool)}
    return {
        "limits": limits,
        "requests": {"cpu": str(share.cpu), **limits},
        **({"claims": [{"name": _CLAIM["name"]}]} if network.claims_channel else {}),
    }


def _memory(pool: PlatformPool) -> str:
    return f"{node_share(pool, pool.facts.gpus_per_node).memory_gib}Gi"


def _shared_memory(platform: Platform, pool: PlatformPool) -> Document:
    """Return the volume at `/dev/shm`, of the size that admission would give it."""
    memory = node_share(pool, pool.facts.gpus_per_node).memory_gib * 2**30
    size = share_of_memory(memory, shared_memory_settings(platform.cluster.policies.shared_memory))
    return {"name": _VOLUME, "emptyDir": {"medium": "Memory", "sizeLimit": format_bytes(size)}}
