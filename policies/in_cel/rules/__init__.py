"""The rules in CEL, one module each, and what of them is not."""

from collections.abc import Mapping

from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.rules import (
    device_claim,
    device_host_path,
    gpu_count,
    gpu_node_intrusion,
    gpu_requests_equal_limits,
    gpu_resource_offered,
    gpu_runtime_class,
    gpu_share,
    gpus_per_node,
    granted_pools,
    host_architecture,
    host_ipc,
    image_registry,
    image_tag,
    ld_preload,
    memory_limit,
    node_affinity,
    priority_class,
    privileged,
    replica_spread,
    runtime_class,
    shared_gpu_count,
    shared_memory,
    team_labels,
    time_sliced_inference,
    tolerations,
    visible_devices,
)
from policies.rule_name import RuleName

RULES_IN_CEL: tuple[RuleInCel, ...] = (
    gpu_count.RULE_IN_CEL,
    gpu_requests_equal_limits.RULE_IN_CEL,
    gpu_resource_offered.RULE_IN_CEL,
    device_claim.RULE_IN_CEL,
    gpu_node_intrusion.RULE_IN_CEL,
    gpu_runtime_class.RULE_IN_CEL,
    granted_pools.RULE_IN_CEL,
    node_affinity.RULE_IN_CEL,
    gpus_per_node.RULE_IN_CEL,
    shared_gpu_count.RULE_IN_CEL,
    tolerations.RULE_IN_CEL,
    replica_spread.RULE_IN_CEL,
    runtime_class.RULE_IN_CEL,
    priority_class.RULE_IN_CEL,
    team_labels.RULE_IN_CEL,
    shared_memory.RULE_IN_CEL,
    visible_devices.RULE_IN_CEL,
    ld_preload.RULE_IN_CEL,
    device_host_path.RULE_IN_CEL,
    host_ipc.RULE_IN_CEL,
    privileged.RULE_IN_CEL,
    image_registry.RULE_IN_CEL,
    image_tag.RULE_IN_CEL,
    host_architecture.RULE_IN_CEL,
    gpu_share.RULE_IN_CEL,
    time_sliced_inference.RULE_IN_CEL,
    memory_limit.RULE_IN_CEL,
)
"""In the order of the rules."""

NOT_IN_CEL: Mapping[RuleName, str] = {
    RuleName.NODE_NAME: "The webhook alone refuses it so far.",
    RuleName.GRANTED_POOLS: "Policies of their own refuse what it refuses, one for each set of "
    "pools, so that none grows with the number of namespaces.",
    RuleName.NODE_AFFINITY: "An annotation that no pool can meet, or that the pod contradicts, "
    "adds nothing. It is not refused: it harms the pod alone.",
    RuleName.SHARED_MEMORY: "What a container mounts at /dev/shm itself is not judged: it harms "
    "the pod alone.",
}
"""What of a rule the API server does not evaluate, and why."""
