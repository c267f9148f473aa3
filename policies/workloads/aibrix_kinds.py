"""The kinds of AIBrix 0.7, which serves models by pods in roles, or by fleets of Ray clusters.

https://github.com/vllm-project/aibrix/tree/v0.7.0/config/crd/orchestration
"""

from __future__ import annotations

from policies.workloads.inference_part import kv_cache_component
from policies.workloads.ray_kinds import ray_cluster
from policies.workloads.workload_kind import Author, WorkloadKind

_AIBRIX = "orchestration.aibrix.ai"
_FLEET = ray_cluster("/spec/template/spec")

AIBRIX_KINDS = (
    WorkloadKind(
        _AIBRIX,
        "KVCache",
        parts=tuple(
            (f"/spec/{place}", kv_cache_component)
            for place in ("cache", "watcher", "metadata/etcd/runtime", "metadata/redis/runtime")
        ),
        is_in_roles=False,
    ),
    # A RoleSet has it where a role has pods in groups.
    WorkloadKind(
        _AIBRIX, "PodSet", ("/spec/template",), author=Author.CONTROLLER, is_in_roles=False
    ),
    WorkloadKind(_AIBRIX, "RayClusterFleet", _FLEET, has_scale=True, is_in_roles=False),
    # To a fleet, what a ReplicaSet is to a Deployment.
    WorkloadKind(
        _AIBRIX, "RayClusterReplicaSet", _FLEET, author=Author.CONTROLLER, is_in_roles=False
    ),
    # A StormService has one for each replica.
    WorkloadKind(
        _AIBRIX,
        "RoleSet",
        ("/spec/roles/*/template",),
        author=Author.CONTROLLER,
        is_in_roles=False,
    ),
    WorkloadKind(
        _AIBRIX,
        "StormService",
        ("/spec/template/spec/roles/*/template",),
        has_scale=True,
        is_in_roles=False,
    ),
)
