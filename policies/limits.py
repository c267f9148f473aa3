"""Bounds on the parts of a pod that are read; a pod above one is refused."""

from collections.abc import Mapping, Sequence

from gpus.platform_names import LABEL_PREFIX
from policies.document import Json, elements, members, text

CONTAINER_LISTS = ("containers", "initContainers", "ephemeralContainers")
MAX_CONTAINERS = 256
"""Containers of one pod, of all kinds: as many as one rule may have findings. Kubernetes is made
for two containers a pod (https://kubernetes.io/docs/setup/best-practices/cluster-large/), but takes
any number, and each costs the webhook a hundred times the bytes that state it."""
MAX_NODE_SELECTOR_TERMS = 64
"""Terms of a node affinity. The API server knows no bound, and pays for each of them at each pool:
`PerCallLimit` in k8s.io/apiserver v0.37.1 pkg/apis/cel/config.go."""
MAX_EXPRESSIONS = 64
"""Expressions of one term, besides those that rules add."""
MAX_ADDED_EXPRESSIONS = 4
"""Expressions that rules add to a term, all on labels of the platform: granted-pools one, and
node-affinity one for each of three annotations. They count as added whoever wrote them, since the
API server shows the webhook what it added before."""
_OURS = f"{LABEL_PREFIX}/"


def excess_containers(spec: Mapping[str, Json]) -> int:
    """Return how many containers a pod has; 0 where they are few enough to be read."""
    count = 0
    for field in CONTAINER_LISTS:
        if field in spec:
            count += len(elements(spec[field]))
    return count if count > MAX_CONTAINERS else 0


def excess(terms: Sequence[Json]) -> str:
    """Return what the required terms of a node affinity have too many of; empty for nothing."""
    if len(terms) > MAX_NODE_SELECTOR_TERMS:
        return f"{len(terms)} terms; allowed: {MAX_NODE_SELECTOR_TERMS}"
    for index, term in enumerate(terms):
        count = _stated(elements(members(term).get("matchExpressions")))
        if count > MAX_EXPRESSIONS:
            return f"{count} expressions in term {index}; allowed: {MAX_EXPRESSIONS}"
    return ""


def _stated(expressions: Sequence[Json]) -> int:
    count = len(expressions)
    if count <= MAX_EXPRESSIONS:
        return count
    keys = [text(members(one).get("key")) for one in expressions]
    return count - min(MAX_ADDED_EXPRESSIONS, sum([key.startswith(_OURS) for key in keys]))
