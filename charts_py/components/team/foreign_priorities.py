"""What keeps a team from using the priorities of others."""

from collections.abc import Iterable

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

_SCOPE = "PriorityClass"


def foreign_priorities(namespace: str, own: Iterable[str]) -> Document:
    """Return a ResourceQuota of no pods with a priority class that the team may not use.

    A class is never a team's own. A pod without any matches `NotIn`, too, so that
    `Exists` has to leave it out. RBAC cannot do it: naming a class in a pod needs no right on the
    class. https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
    """
    selected = [
        {"scopeName": _SCOPE, "operator": "Exists"},
        {"scopeName": _SCOPE, "operator": "NotIn", "values": sorted(own)},
    ]
    spec = {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": selected}}
    metadata = ObjectMeta("foreign-priorities", namespace)
    return object_of("v1", "ResourceQuota", metadata, {"spec": spec})
