"""The priority ladder as PriorityClasses."""

from collections.abc import Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.priority import Preemption, Priority

_PREEMPTION_POLICIES = {
    Preemption.LOWER: "PreemptLowerPriority",
    Preemption.NEVER: "Never",
}


@dataclass(frozen=True, slots=True)
class PriorityClassesProps:
    """The ladder by class name."""

    ladder: Mapping[str, Priority]


class PriorityClasses(Construct):
    """One PriorityClass a rung.

    https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
    """

    def __init__(self, scope: Construct, id: str, props: PriorityClassesProps) -> None:
        super().__init__(scope, id)
        for name, priority in sorted(props.ladder.items()):
            body = {
                "value": priority.value,
                "globalDefault": False,
                "preemptionPolicy": _PREEMPTION_POLICIES[priority.preemption],
                "description": priority.description,
            }
            add_object(self, "scheduling.k8s.io/v1", "PriorityClass", ObjectMeta(name), body)
