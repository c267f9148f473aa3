"""Where the scheduler placed pods, and why it did not; what a kubelet would report of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.polling import once_seen

PATIENCE_SECONDS = 120.0
_CLIENTS = 4
_POD = {"apiVersion": "v1", "kind": "Pod"}
"""What the objects of a list do not say of themselves."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What the scheduler decided about a pod."""

    pod: str
    node: str | None
    """None: it fits nowhere."""
    reason: str = ""
    """Why it fits nowhere, in the scheduler's words."""


def create_all(client: ApiClient, documents: Iterable[Document]) -> None:
    """Create objects, several at a time; raise the first error."""
    with ThreadPoolExecutor(_CLIENTS) as executor:
        for _ in executor.map(client.create, documents):
            pass


def placements(client: ApiClient, namespace: str, count: int) -> list[Placement]:
    """Return where the pods of a namespace stand, sorted by name, once each is decided.

    Raises TimeoutError while there are not so many pods, or some are not looked at.
    """
    decided = once_seen(
        lambda: [_placement(pod) for pod in client.find("v1", "Pod", namespace)],
        lambda found: len(found) == count and None not in found,
        f"{count} pods in {namespace} are decided",
        PATIENCE_SECONDS,
    )
    return [each for each in decided if each is not None]


def bound_pods(client: ApiClient, namespace: str, count: int) -> list[Document]:
    """Return the pods of a namespace that have nodes, once there are so many."""
    return once_seen(
        lambda: list(filter(has_node, client.find("v1", "Pod", namespace))),
        lambda found: len(found) == count,
        f"{count} pods in {namespace} have nodes",
        PATIENCE_SECONDS,
    )


def pods_by_node(placed: Iterable[Placement]) -> dict[str | None, int]:
    """Return how many pods stand on each node; None: on none."""
    return dict(Counter(each.node for each in placed))


def has_node(pod: Document) -> bool:
    return "nodeName" in pod["spec"]


def is_ending(found: Document) -> bool:
    """Tell whether an object is about to go."""
    return "deletionTimestamp" in found["metadata"]


def report_until(
    client: ApiClient, workload: Document, phase: str, is_so: Callable[[Document], bool]
) -> None:
    """Report that the pods of a namespace are in a phase until a condition of a workload holds.

    Raises TimeoutError with the workload as it is then.
    """
    namespace, name = workload["metadata"]["namespace"], workload["metadata"]["name"]

    def report() -> Document:
        for pod in client.find("v1", "Pod", namespace):
            if has_node(pod) and pod["status"]["phase"] != phase:
                client.patch({**_POD, **pod}, {"status": _status(phase)}, "status")
        return client.get(workload["apiVersion"], workload["kind"], name, namespace)

    once_seen(report, is_so, f"{name} with pods {phase}", PATIENCE_SECONDS)


def _placement(pod: Document) -> Placement | None:
    name = pod["metadata"]["name"]
    if node := pod["spec"].get("nodeName"):
        return Placement(name, node)
    for condition in pod["status"].get("conditions", ()):
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return Placement(name, None, condition["message"])
    return None


def _status(phase: str) -> Document:
    ready = "True" if phase == "Running" else "False"
    return {"phase": phase, "conditions": [{"type": "Ready", "status": ready}]}
