"""What the kubelet of a node would report of the pods that are bound to it."""

from collections.abc import Callable

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.polling import polls

PATIENCE_SECONDS = 120.0
_POD = {"apiVersion": "v1", "kind": "Pod"}
"""What the objects of a list do not say of themselves."""


def report_until(
    client: ApiClient, workload: Document, phase: str, is_so: Callable[[Document], bool]
) -> Document:
    """Report that the pods of a namespace are in a phase until a condition of a workload holds.

    Returns the workload; raises TimeoutError with its last status.
    """
    namespace, name = workload["metadata"]["namespace"], workload["metadata"]["name"]
    for _ in polls(PATIENCE_SECONDS):
        for pod in client.find("v1", "Pod", namespace):
            if "nodeName" in pod["spec"] and pod["status"]["phase"] != phase:
                client.patch({**_POD, **pod}, {"status": _status(phase)}, "status")
        found = client.get(workload["apiVersion"], workload["kind"], name, namespace)
        if is_so(found):
            return found
    raise TimeoutError(f"{workload['kind']} {name}: {found.get('status')}")


def _status(phase: str) -> Document:
    ready = "True" if phase == "Running" else "False"
    return {"phase": phase, "conditions": [{"type": "Ready", "status": ready}]}
