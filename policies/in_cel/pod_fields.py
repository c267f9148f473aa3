"""Fields of a pod in CEL, each empty where it is absent."""

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
"""What a node affinity insists on, when a pod is placed."""


def containers_in(field: str, of: str = "object") -> str:
    """Return CEL for the containers of a pod in one of the lists of its spec."""
    return f"{of}.spec.?{field}.orValue([])"


def is_among(containers: str, name: str = "container.name") -> str:
    """Return CEL for whether one of that name is among containers; names are unique in a pod."""
    return f"{containers}.exists(one, one.name == {name})"


def node_terms(of: str) -> str:
    """Return CEL for the terms of which the node of a pod must meet one."""
    return f"{of}.spec.?affinity.?nodeAffinity.?{REQUIRED}.?nodeSelectorTerms.orValue([])"


INIT_CONTAINERS = containers_in("initContainers")
EPHEMERAL_CONTAINERS = containers_in("ephemeralContainers")
CONTAINERS = f"({containers_in('containers')} + {INIT_CONTAINERS} + {EPHEMERAL_CONTAINERS})"
"""Its containers of every kind."""
HOST_IPC = "object.spec.?hostIPC.orValue(false)"
NODE_NAME = 'object.spec.?nodeName.orValue("")'
NODE_SELECTOR = "object.spec.?nodeSelector.orValue({})"
NODE_TERMS = node_terms("object")
RUNTIME_CLASS = 'object.spec.?runtimeClassName.orValue("")'
TOLERATIONS = "object.spec.?tolerations.orValue([])"
VOLUMES = "object.spec.?volumes.orValue([])"
CLAIMS = "object.spec.?resourceClaims.orValue([])"
HAS_CLAIMS = f"size({CLAIMS}) > 0"
"""Whether it brings a claim, for any of its containers."""

ANNOTATIONS = "object.metadata.?annotations.orValue({})"
LABELS = "object.metadata.?labels.orValue({})"

LIMITS = "container.?resources.?limits.orValue({})"
"""Of a `container`, as what follows."""
REQUESTS = "container.?resources.?requests.orValue({})"
ENVIRONMENT = "container.?env.orValue([])"
MOUNTS = "container.?volumeMounts.orValue([])"
USES_CLAIMS = "size(container.?resources.?claims.orValue([])) > 0"
"""Whether it uses claims of its pod."""

EXPRESSIONS = "term.?matchExpressions.orValue([])"
"""Of a `term` of the node affinity."""
STATES_SOMETHING = f"size({EXPRESSIONS}) + size(term.?matchFields.orValue([])) > 0"
"""Whether some node can match it."""
VALUES = "expression.?values.orValue([])"
"""Of an `expression` of a term."""
