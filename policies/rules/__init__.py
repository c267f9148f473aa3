"""The rules on GPU pods, one module each, in the order in which a pod passes them."""

from policies.rule import Rule
from policies.rules import (
    device_claim,
    device_host_path,
    gpu_count,
    gpu_node_intrusion,
    gpu_requests_equal_limits,
    gpu_resource_name,
    gpu_resource_offered,
    gpu_runtime_class,
    gpu_share,
    gpus_per_node,
    grace_period,
    granted_pools,
    host_architecture,
    host_ipc,
    image_registry,
    image_tag,
    ld_preload,
    memory_limit,
    node_affinity,
    node_name,
    priority_class,
    privileged,
    queue_scheduler,
    replica_spread,
    runtime_class,
    shared_gpu_count,
    shared_memory,
    team_labels,
    time_sliced_inference,
    tolerations,
    visible_devices,
)

RULES: tuple[Rule, ...] = (
    # What is asked for comes first: everything else is derived from it.
    gpu_count.RULE,
    gpu_requests_equal_limits.RULE,
    gpu_resource_offered.RULE,
    device_claim.RULE,
    # Then where the pod may run: its namespace and its annotations narrow the pools, and how much
    # it may ask for and which taints it must tolerate follow from those.
    node_name.RULE,
    granted_pools.RULE,
    gpu_node_intrusion.RULE,
    gpu_runtime_class.RULE,
    node_affinity.RULE,
    gpus_per_node.RULE,
    shared_gpu_count.RULE,
    tolerations.RULE,
    replica_spread.RULE,
    runtime_class.RULE,
    priority_class.RULE,
    team_labels.RULE,
    queue_scheduler.RULE,
    # Then what its containers see, which depends on which of them ask for a GPU.
    shared_memory.RULE,
    visible_devices.RULE,
    # Then what cannot be fixed and depends on nothing before.
    ld_preload.RULE,
    device_host_path.RULE,
    host_ipc.RULE,
    privileged.RULE,
    grace_period.RULE,
    image_registry.RULE,
    image_tag.RULE,
    # Advice comes last: it is about the pod as it will run.
    gpu_resource_name.RULE,
    host_architecture.RULE,
    gpu_share.RULE,
    time_sliced_inference.RULE,
    memory_limit.RULE,
)
"""Every rule, in order: each sees what those before it have fixed."""
