"""Fields of a pod in CEL, each empty where it is absent."""

CONTAINERS = (
    "(object.spec.?containers.orValue([])"
    " + object.spec.?initContainers.orValue([])"
    " + object.spec.?ephemeralContainers.orValue([]))"
)
"""Its containers of every kind."""
NODE_NAME = 'object.spec.?nodeName.orValue("")'
NODE_SELECTOR = "object.spec.?nodeSelector.orValue({})"
NODE_TERMS = (
    "object.spec.?affinity.?nodeAffinity.?requiredDuringSchedulingIgnoredDuringExecution"
    ".?nodeSelectorTerms.orValue([])"
)
TOLERATIONS = "object.spec.?tolerations.orValue([])"
VOLUMES = "object.spec.?volumes.orValue([])"

LIMITS = "container.?resources.?limits.orValue({})"
"""Of one container, as what follows."""
REQUESTS = "container.?resources.?requests.orValue({})"
VARIABLES = "container.?env.orValue([])"

EXPRESSIONS = "term.?matchExpressions.orValue([])"
"""Of one term."""
