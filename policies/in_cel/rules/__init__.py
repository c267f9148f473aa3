"""The rules that CEL can hold, one module each, and why it cannot hold the others."""

from collections.abc import Mapping

from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.rules import (
    device_claim,
    gpu_node_intrusion,
    gpu_requests_equal_limits,
    gpu_resource_offered,
    gpu_share,
    gpus_per_node,
    granted_pools,
    host_architecture,
    host_ipc,
    image_registry,
    image_tag,
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
    gpu_requests_equal_limits.RULE_IN_CEL,
    gpu_resource_offered.RULE_IN_CEL,
    device_claim.RULE_IN_CEL,
    gpu_node_intrusion.RULE_IN_CEL,
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

_VALIDATED = "the API server's own validation refuses what is left of it"
_ONLY_FIXES = "it refuses nothing"
_OF_ITS_OWN = "a policy for each set of pools holds it"
_WEBHOOK_ALONE = "the webhook alone refuses it so far"

NOT_IN_CEL: Mapping[RuleName, str] = {
    RuleName.GPU_COUNT: _VALIDATED,
    RuleName.GPU_REQUESTS_EQUAL_LIMITS: _VALIDATED,
    RuleName.NODE_NAME: _WEBHOOK_ALONE,
    RuleName.GRANTED_POOLS: _OF_ITS_OWN,
    RuleName.GPU_RUNTIME_CLASS: _WEBHOOK_ALONE,
    RuleName.NODE_AFFINITY: _WEBHOOK_ALONE,
    RuleName.REPLICA_SPREAD: _ONLY_FIXES,
    RuleName.RUNTIME_CLASS: _ONLY_FIXES,
    RuleName.SHARED_MEMORY: _WEBHOOK_ALONE,
    RuleName.VISIBLE_DEVICES: _WEBHOOK_ALONE,
    RuleName.LD_PRELOAD: _WEBHOOK_ALONE,
    RuleName.DEVICE_HOST_PATH: _WEBHOOK_ALONE,
}
"""Why the policy of all rules does not hold the others."""
