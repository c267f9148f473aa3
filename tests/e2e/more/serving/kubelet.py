"""What a kubelet would report of the replicas of servers, and how many GPUs they have at most."""

from dataclasses import dataclass, field

from charts_py.objects.document import Document
from gpuplane.workloads.server.ports import REVISION
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.scheduling.placements import has_node, is_ending

_POD = {"apiVersion": "v1", "kind": "Pod"}
_GPUS = "nvidia.com/gpu"
_SINCE = "2026-01-01T00:00:00Z"
_ADDRESS = "192.0.2.2"
_READY = {
    "phase": "Running",
    "podIP": _ADDRESS,
    "podIPs": [{"ip": _ADDRESS}],
    "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": _SINCE}],
}


@dataclass(slots=True)
class Kubelet:
    """Starts and ends the pods of a namespace whenever it looks.

    A pod with a node does not go before: none that has GPUs is overlooked.
    """

    client: ApiClient
    namespace: str
    images: dict[str, str] = field(default_factory=dict)
    """That of each revision, by its hash, of all that it has seen."""
    never_ready: str = ""
    """An image whose server does not start."""
    most_gpus: int = 0
    """At once, of replicas that do not end."""
    most_held: int = 0
    """At once, of those that end as well."""

    def look(self) -> list[Document]:
        """Return the pods as they were, and report what has become of them."""
        pods = [{**_POD, **pod} for pod in self.client.find("v1", "Pod", self.namespace)]
        stay = [pod for pod in pods if not is_ending(pod)]
        self.most_gpus = max(self.most_gpus, sum(map(_gpus, stay)))
        self.most_held = max(self.most_held, sum(map(_gpus, pods)))
        for pod in pods:
            if (revision := pod["metadata"]["labels"].get(REVISION)) is not None:
                self.images[revision] = image_of(pod)
            self._report(pod)
        return pods

    def forget(self) -> None:
        self.images.clear()
        self.never_ready, self.most_gpus, self.most_held = "", 0, 0

    def _report(self, pod: Document) -> None:
        is_waiting = has_node(pod) and pod["status"]["phase"] != "Running"
        if is_ending(pod):
            self.client.delete(pod)
        elif is_waiting and image_of(pod) != self.never_ready:
            self.client.patch(pod, {"status": _READY}, "status")


def image_of(pod: Document) -> str:
    (container,) = pod["spec"]["containers"]
    return str(container["image"])


def _gpus(pod: Document) -> int:
    (container,) = pod["spec"]["containers"]
    return int(container["resources"]["limits"][_GPUS])
