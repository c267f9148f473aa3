"""The priority ladder as Kueue knows it."""

from charts_py.cluster_file.priority import Priority
from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


def workload_priority_class(name: str, priority: Priority) -> Document:
    """Return the WorkloadPriorityClass of a rung, of the same name and value.

    A job that names none waits by the priority of its pods.
    """
    body = {"value": priority.value, "description": priority.description}
    return object_of(API_VERSION, "WorkloadPriorityClass", ObjectMeta(name), body)
