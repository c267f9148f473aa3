"""The names by which the pods of a job find each other."""

from gpuplane.workloads.metadata import named
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request


def headless_service(request: Request, job_label: str) -> Tree:
    """Return the Service of a kind that makes none of its own."""
    spec = {
        "clusterIP": because("None", "a name for each pod, and no address of its own"),
        "selector": {job_label: request.name},
        "publishNotReadyAddresses": because(
            True, "the pods look for the first one while they start"
        ),
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {**named(request, request.name), "labels": dict(request.labels)},
        "spec": spec,
    }
