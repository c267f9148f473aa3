"""The priority ladder as a construct."""

from collections.abc import Mapping

from constructs import Construct

from charts_py.cluster_file.priority import Priority, default_ladder
from charts_py.components.priority_classes import priority_classes
from charts_py.objects.kube_object import add_documents


class PriorityClasses(Construct):
    """A PriorityClass for each rung of a ladder; none is the default of pods that name none."""

    def __init__(
        self, scope: Construct, id: str, *, priorities: Mapping[str, Priority] | None = None
    ) -> None:
        """Add the classes of `priorities`, by default a ladder from `batch` to `system`."""
        super().__init__(scope, id)
        self.priorities = default_ladder() if priorities is None else priorities
        """The rungs by name."""
        self.objects = add_documents(self, priority_classes(self.priorities))
