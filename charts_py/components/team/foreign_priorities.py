"""What keeps a team from using the priorities of others."""

from collections.abc import Iterable

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES


def foreign_priorities(namespace: str, ladder: Iterable[str], own: Iterable[str]) -> Document:
    """Return a ResourceQuota of no pods with a priority class that the team may not use.

    The ladder has all priority classes of the platform, among them the team's own. RBAC cannot do
    it: naming a class in a pod needs no right on the class.
    https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
    """
    foreign = {*ladder, *CRITICAL_PRIORITY_CLASSES} - {*own}
    selected = {"scopeName": "PriorityClass", "operator": "In", "values": sorted(foreign)}
    spec = {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": [selected]}}
    metadata = ObjectMeta("foreign-priorities", namespace)
    return object_of("v1", "ResourceQuota", metadata, {"spec": spec})
