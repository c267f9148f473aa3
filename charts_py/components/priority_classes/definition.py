"""The priority ladder as PriorityClasses; none is the default of pods that name none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.priority import PLATFORM_PRIORITY
from charts_py.components.definition import Definition
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.priority_classes.construct import PriorityClasses

    return lambda scope: PriorityClasses(scope, "priority-classes", platform.cluster.priorities)


PRIORITY_CLASSES = Definition(
    name="priority-classes",
    description=__doc__,
    appears="always",
    fields=("priorities",),
    wave=Wave.CLASSES,
    construct=_construct,
    reserved_priority_classes=(*CRITICAL_PRIORITY_CLASSES, PLATFORM_PRIORITY),
)
