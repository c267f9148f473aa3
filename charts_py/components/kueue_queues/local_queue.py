"""The queue that the jobs of a namespace wait in."""

from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

DEFAULT_QUEUE = "default"
"""The one that Kueue takes for jobs that name none (pkg/controller/constants at v0.19.2)."""


def local_queue(namespace: str) -> Document:
    """Return the LocalQueue of a namespace; its ClusterQueue has the name of the namespace."""
    metadata = ObjectMeta(DEFAULT_QUEUE, namespace)
    return object_of(API_VERSION, "LocalQueue", metadata, {"spec": {"clusterQueue": namespace}})
