"""Where the scheduler placed pods, and why it did not."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.polling import polls

PATIENCE_SECONDS = 120.0
_CLIENTS = 4


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


def placements(client: ApiClient, namespace: str, count: int) -> tuple[Placement, ...]:
    """Return where the pods of a namespace stand, sorted by name, once each is decided.

    Raises TimeoutError while there are not so many pods, or some are not looked at.
    """
    for _ in polls(PATIENCE_SECONDS):
        decided = [_placement(pod) for pod in client.find("v1", "Pod", namespace)]
        found = tuple(each for each in decided if each is not None)
        if len(found) == len(decided) == count:
            return found
    raise TimeoutError(
        f"{len(found)} of {len(decided)} pods in {namespace} are decided after "
        f"{PATIENCE_SECONDS} s; awaited: {count}"
    )


def pods_by_node(placed: Iterable[Placement]) -> dict[str | None, int]:
    """Return how many pods stand on each node; None: on none."""
    return dict(Counter(each.node for each in placed))


def _placement(pod: Document) -> Placement | None:
    name = pod["metadata"]["name"]
    if node := pod["spec"].get("nodeName"):
        return Placement(name, node)
    for condition in pod["status"].get("conditions", ()):
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return Placement(name, None, condition["message"])
    return None
