"""A cluster as repair sees it: its nodes and pods, and what was asked of the API server."""

import datetime as dt
import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from typing_extensions import override

from rounds.servers import HttpEndpoint, Reply

POOL = "h200"
TAINT = "readiness.k8s.io/gpu-unhealthy"
HARDWARE, DRIVER = "gpuplane.io/GpuHardwareFault", "gpuplane.io/GpuDriverFault"
BOOT = "1f4d2a6e-0000-4000-8000-000000000000"
CLAIM = {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "name": "h200-abcde", "uid": "c"}


def ago(**since: float) -> str:
    return (dt.datetime.now(dt.UTC) - dt.timedelta(**since)).strftime("%Y-%m-%dT%H:%M:%SZ")


def condition(kind: str, reason: str, minutes: float = 60, status: str = "True") -> dict[str, str]:
    times = {"lastTransitionTime": ago(minutes=minutes)}
    return {"type": kind, "status": status, "reason": reason, **times}


@dataclass(slots=True)
class Cluster:
    """What the API server has, and what it was asked to change."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    pods: list[dict[str, Any]] = field(default_factory=list)
    refusals: dict[str, int] = field(default_factory=dict)
    """Statuses with which changes of a path are refused."""
    changes: list[tuple[str, str, Any]] = field(default_factory=list)
    """Method, path and body of each change, but for Events."""
    events: list[Any] = field(default_factory=list)

    def add_broken(self, name: str, reason: str = "NvidiaXID95Error") -> dict[str, Any]:
        """Add a node that is set aside for an error of hardware.

        The round before found nothing on it, nor is there anything now.
        """
        node: dict[str, Any] = {
            "metadata": {
                "name": name,
                "uid": f"uid-{name}",
                "resourceVersion": "7",
                "labels": {"gpuplane.io/pool": POOL},
                "annotations": {"gpuplane.io/repair-planned-at": ago(minutes=5)},
                "ownerReferences": [CLAIM],
            },
            "spec": {"taints": [{"key": TAINT, "value": "true", "effect": "NoSchedule"}]},
            "status": {
                "nodeInfo": {"bootID": BOOT},
                "conditions": [
                    condition("Ready", "KubeletReady"),
                    condition(HARDWARE, reason),
                    condition(DRIVER, "NoGpuDriverFault", status="False"),
                ],
            },
        }
        self.nodes.append(node)
        return node

    def add_pod(self, node: str, name: str = "train-0", **metadata: Any) -> dict[str, Any]:
        pod = {
            "metadata": {
                "name": name,
                "namespace": "research",
                "uid": f"uid-{name}",
                "creationTimestamp": ago(hours=1),
                **metadata,
            },
            "spec": {"nodeName": node},
            "status": {"phase": "Running"},
        }
        self.pods.append(pod)
        return pod


@dataclass(frozen=True, slots=True)
class ApiServerOf(HttpEndpoint):
    cluster: Cluster = field(default_factory=Cluster)

    @override
    def request(self, method: str, path: str, body: object = None, content_type: str = "") -> Reply:
        asked = urlsplit(path)
        if method == "GET":
            return Reply(HTTPStatus.OK, {"items": self._items(asked.path, asked.query)} | _ALL)
        if asked.path in self.cluster.refusals:
            return Reply(self.cluster.refusals[asked.path], {"message": "refused"})
        if asked.path.endswith("/events"):
            self.cluster.events.append(body)
        else:
            self.cluster.changes.append((method, path, json.loads(json.dumps(body))))
        return Reply(HTTPStatus.CREATED, {})

    def _items(self, path: str, query: str) -> list[dict[str, Any]]:
        if path == "/api/v1/nodes":
            return self.cluster.nodes
        if selector := parse_qs(query).get("fieldSelector"):
            name = selector[0].removeprefix("spec.nodeName=")
            return [each for each in self.cluster.pods if each["spec"]["nodeName"] == name]
        namespace = path.split("/")[4]
        return [each for each in self.cluster.pods if each["metadata"]["namespace"] == namespace]


_ALL: dict[str, Any] = {"metadata": {}}
