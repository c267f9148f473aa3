"""The priority ladder as PriorityClasses."""

from collections.abc import Mapping

from constructs import Construct

from charts_py.cluster_file.priority import Preemption, Priority
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.objects.metadata import ObjectMeta, object_of

_PREEMPTION_POLICIES = {
    Preemption.LOWER: "PreemptLowerPriority",
    Preemption.NEVER: "Never",
}


class PriorityClasses(Construct):
    """One PriorityClass a rung.

    https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
    """

    def __init__(self, scope: Construct, id: str, ladder: Mapping[str, Priority]) -> None:
        super().__init__(scope, id)
        add_documents(self, (_priority_class(name, rung) for name, rung in sorted(ladder.items())))


def _priority_class(name: str, priority: Priority) -> Document:
    body = {
        "value": priority.value,
        "globalDefault": False,
        "preemptionPolicy": _PREEMPTION_POLICIES[priority.preemption],
        "description": priority.description,
    }
    return object_of("scheduling.k8s.io/v1", "PriorityClass", ObjectMeta(name), body)
