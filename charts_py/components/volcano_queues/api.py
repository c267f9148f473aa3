"""The API of Volcano's objects (https://github.com/volcano-sh/volcano, config/crd at v1.15.1)."""

GROUP = "scheduling.volcano.sh"
API_VERSION = f"{GROUP}/v1beta1"

SCHEDULER = "volcano"
"""What pods name it."""
QUEUE_NAME = f"{GROUP}/queue-name"
"""Annotation of a pod, and of a Namespace for jobs in it that name no queue."""
DEFAULT_QUEUE = "default"
"""The queue of jobs in namespaces that belong to no team."""
