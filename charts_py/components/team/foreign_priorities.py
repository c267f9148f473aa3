"""What keeps a team off the priorities that are not its own."""

from collections.abc import Iterable
from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES


@dataclass(frozen=True, slots=True)
class ForeignPrioritiesProps:
    """A namespace, the whole ladder, and the rungs of it that the team may use."""

    namespace: str
    ladder: Iterable[str]
    own: Iterable[str]


class ForeignPriorities(Construct):
    """A ResourceQuota of no pods with a priority class that the team may not use.

    RBAC cannot do it: naming a class in a pod needs no right on the class.
    https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
    """

    def __init__(self, scope: Construct, id: str, props: ForeignPrioritiesProps) -> None:
        super().__init__(scope, id)
        foreign = {*props.ladder, *CRITICAL_PRIORITY_CLASSES} - {*props.own}
        selected = {"scopeName": "PriorityClass", "operator": "In", "values": sorted(foreign)}
        spec = {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": [selected]}}
        metadata = ObjectMeta("foreign-priorities", props.namespace)
        add_object(self, "v1", "ResourceQuota", metadata, {"spec": spec})
