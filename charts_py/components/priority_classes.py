"""The priority ladder as PriorityClasses; none is the default of pods that name none."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.component import Component
from charts_py.objects.kube_object import ObjectMeta, add_object
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
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


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the ladder."""
    props = PriorityClassesProps(platform.cluster.priorities)
    yield Component(
        name="priority-classes",
        wave=Wave.CLASSES,
        namespace="default",
        construct=lambda scope: PriorityClasses(scope, "priority-classes", props),
    )
