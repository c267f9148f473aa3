"""A cluster as culling sees it: what Prometheus tells of pods, and what the API server has."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from typing_extensions import override

from culling.settings import Queries
from rounds.servers import HttpEndpoint, Reply

NAMESPACE = "notebooks"
QUERIES = Queries(idle_gpus="idle", idle_minutes="minutes", held_gpus="held", capacity="capacity")
NOW_SECONDS = 1_800_000_000.0
"""2027-01-15T08:00:00Z, when Prometheus is asked."""
BEFORE = "2027-01-15T06:00:00Z"
IDLE_MINUTES = 90.0
"""The last use was at 06:30."""


@dataclass(slots=True)
class Cluster:
    """What both servers answer, and what the API server was asked to change."""

    objects: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of the API server, by their paths."""
    vectors: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Of Prometheus, by queries."""
    refusals: dict[str, int] = field(default_factory=dict)
    """Statuses with which requests for a path are refused."""
    changes: list[tuple[str, str, Any]] = field(default_factory=list)
    """Method, path and body of each change, but for Events."""
    events: list[Any] = field(default_factory=list)

    def add(self, path: str, kind: str, *, owner: str = "", **spec: Any) -> dict[str, Any]:
        """Add an object, which another one controls, by its path."""
        root, _, rest = path.partition(f"/namespaces/{NAMESPACE}/")
        metadata = {
            "name": rest.partition("/")[2],
            "namespace": NAMESPACE,
            "uid": f"uid-{rest}",
            "resourceVersion": "7",
            "creationTimestamp": BEFORE,
        }
        api_version = root.removeprefix("/apis/").removeprefix("/api/")
        document = {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}
        if owner:
            metadata["ownerReferences"] = [reference_to(self.objects[owner])]  # type: ignore[assignment] # a name is a string
        self.objects[path] = document
        return document

    def add_pod(
        self, name: str, *, owner: str = "", held: float = 1, idle: float | None = None
    ) -> dict[str, Any]:
        """Add a pod with GPUs, all of which are idle unless it is said how many."""
        pod = self.add(pod_path(name), "Pod", owner=owner, nodeName="gpu-1")
        labels = {"namespace": NAMESPACE, "pod": name}
        self.tell("held", held, **labels)
        if idle != 0:
            self.tell("idle", held if idle is None else idle, **labels)
            self.tell("minutes", IDLE_MINUTES, **labels)
        return pod

    def tell(self, query: str, value: float, **labels: str) -> None:
        """Have Prometheus answer a query with one more series."""
        row = {"metric": labels, "value": [NOW_SECONDS, str(value)]}
        self.vectors.setdefault(query, []).append(row)

    def pods(self) -> list[dict[str, Any]]:
        """Return the pods as a list has them: without their kind."""
        found = [each for each in self.objects.values() if each["kind"] == "Pod"]
        return [
            {key: pod[key] for key in pod if key not in ("apiVersion", "kind")} for pod in found
        ]


def pod_path(name: str) -> str:
    """Return where the API server has a pod."""
    return f"/api/v1/namespaces/{NAMESPACE}/pods/{name}"


def apps_path(plural: str, name: str) -> str:
    """Return where the API server has an object of the group `apps`."""
    return f"/apis/apps/v1/namespaces/{NAMESPACE}/{plural}/{name}"


def reference_to(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what names an object as the controller of another."""
    metadata = document["metadata"]
    return {
        "apiVersion": document["apiVersion"],
        "kind": document["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
    }


@dataclass(frozen=True, slots=True)
class PrometheusOf(HttpEndpoint):
    cluster: Cluster = field(default_factory=Cluster)

    @override
    def request(self, method: str, path: str, body: object = None, content_type: str = "") -> Reply:
        (query,) = parse_qs(urlsplit(path).query)["query"]
        result = self.cluster.vectors.get(query, [])
        return Reply(HTTPStatus.OK, {"status": "success", "data": {"result": result}})


@dataclass(frozen=True, slots=True)
class ApiServerOf(HttpEndpoint):
    cluster: Cluster = field(default_factory=Cluster)

    @override
    def request(self, method: str, path: str, body: object = None, content_type: str = "") -> Reply:
        if method != "GET":
            return self._change(method, path, body)
        if urlsplit(path).path.endswith("/pods"):
            return Reply(HTTPStatus.OK, {"items": self.cluster.pods(), "metadata": {}})
        if path in self.cluster.refusals:
            return Reply(self.cluster.refusals[path], {"message": "refused"})
        if path in self.cluster.objects:
            return Reply(HTTPStatus.OK, self.cluster.objects[path])
        return Reply(HTTPStatus.NOT_FOUND, {"message": "not found"})

    def _change(self, method: str, path: str, body: object) -> Reply:
        if path in self.cluster.refusals:
            return Reply(self.cluster.refusals[path], {"message": "refused"})
        if path.endswith("/events"):
            self.cluster.events.append(body)
        else:
            self.cluster.changes.append((method, path, json.loads(json.dumps(body))))
        return Reply(HTTPStatus.CREATED, {})
