from policies.rules import gpu_requests_equal_limits, shared_memory, tolerations
RULES = (gpu_requests_equal_limits.RULE, tolerations.RULE, shared_memory.RULE)
