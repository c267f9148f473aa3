"""The priority ladder as PriorityClasses; none is the default of pods that name none."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.queues import (
    CRITICAL_PRIORITY_CLASSES,
    PLATFORM_PRIORITY,
    Preemption,
    Priority,
)
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

_PREEMPTION_POLICIES = {Preemption.LOWER: "PreemptLowerPriority", Preemption.NEVER: "Never"}


def _objects(platform: Platform) -> Iterator[Document]:
    return priority_classes(platform.cluster.priorities)


def priority_classes(ladder: Mapping[str, Priority]) -> Iterator[Document]:
    """Yield a PriorityClass for each rung, by name.

    https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
    """
    for name, priority in sorted(ladder.items()):
        body = {
            "value": priority.value,
            "globalDefault": False,
            "preemptionPolicy": _PREEMPTION_POLICIES[priority.preemption],
            "description": priority.description,
        }
        yield object_of("scheduling.k8s.io/v1", "PriorityClass", ObjectMeta(name), body)


PRIORITY_CLASSES = Definition(
    name="priority-classes",
    description=__doc__,
    appears="always",
    fields=("priorities",),
    wave=Wave.CLASSES,
    objects=_objects,
    contribution=Contribution(
        reserved_priority_classes=(*CRITICAL_PRIORITY_CLASSES, PLATFORM_PRIORITY)
    ),
)
