"""What reports that objects are well where neither a kubelet nor an operator can run.

Argo CD asks the status of an object for its health. Where that is written by what needs a real node
or a cloud, this writes it instead, and tells of which kinds.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from charts_py.objects.document import Document
from tests.e2e.argo_cd.applications import refresh_unhealthy, unless_gone
from tests.e2e.argo_cd.pod_metrics import are_pods_measured, pod_metrics
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.manifest import manifest
from tests.e2e.scheduling.placements import has_node, is_ending

_NOW = "2026-01-01T00:00:00Z"
_PAUSE_SECONDS = 1
_LOOKED_EVERY = 5
"""Turns. While a chart brings definitions, Argo CD may miss that a workload has become healthy."""

_WRITERS = {
    "Pod": "a kubelet",
    "PodMetrics": "metrics-server",
    "Certificate": "cert-manager",
    "Issuer": "cert-manager",
    "EC2NodeClass": "Karpenter",
    "NodePool": "Karpenter",
    "ContainerNodePool": "Config Connector",
    "Gateway": "agentgateway",
    "PersistentVolumeClaim": "a provisioner",
    "ScaledObject": "KEDA",
}
"""Who would report the health of a kind."""

_BY_CONDITION = (
    ("cert-manager.io/v1", "Issuer"),
    ("cert-manager.io/v1", "Certificate"),
    ("karpenter.k8s.aws/v1", "EC2NodeClass"),
    ("karpenter.sh/v1", "NodePool"),
    ("container.cnrm.cloud.google.com/v1beta1", "ContainerNodePool"),
    ("gateway.networking.k8s.io/v1", "Gateway"),
    ("keda.sh/v1alpha1", "ScaledObject"),
)
_CONDITIONS = {"Gateway": ("Accepted", "Programmed")}
"""By kind, those of an object that is well; of others it is `Ready`."""
_READY = "UpToDate"
"""Why an object is ready: one of Config Connector's is by this word alone.
https://github.com/argoproj/argo-cd/blob/v3.5.7/resource_customizations/_.cnrm.cloud.google.com/_/health.lua
"""


@dataclass(slots=True)
class Reports:
    kinds: set[str] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)
    """UIDs of the pods with metrics."""


def with_writers(kinds: Iterable[str]) -> str:
    """Return kinds, sorted, each with who would report its health."""
    return ", ".join(sorted(f"{kind} ({_WRITERS[kind]})" for kind in kinds))


@contextmanager
def reporting(client: ApiClient, argo_cd: ApiClient) -> Iterator[Reports]:
    """Report, once a second, that what is placed runs or ends, and what is asked for is there."""
    reports, ended = Reports(), threading.Event()

    def work() -> None:
        for turn in count(1):
            if ended.wait(_PAUSE_SECONDS):
                return
            _report(client, reports)
            if turn % _LOOKED_EVERY == 0:
                refresh_unhealthy(argo_cd)

    thread = threading.Thread(target=work, name="reports")
    thread.start()
    try:
        yield reports
    finally:
        ended.set()
        thread.join()


def _report(client: ApiClient, reports: Reports) -> None:
    for pod in client.find("v1", "Pod"):
        if has_node(pod):
            _report_pod(client, pod, reports)
    for claim in client.find("v1", "PersistentVolumeClaim"):
        if claim["status"]["phase"] == "Pending":
            _provision(client, claim, reports)
    if are_pods_measured(client):
        _measure_pods(client, reports)
    for api_version, kind in _BY_CONDITION:
        for each in _find(client, api_version, kind):
            if not _is_reported(each):
                conditions = [_condition(name) for name in _CONDITIONS.get(kind, ("Ready",))]
                _write(client, each, {"conditions": conditions}, reports)


def _is_reported(document: Document) -> bool:
    """Tell whether anybody has; the definition of a Gateway has conditions of its own."""
    conditions = document.get("status", {}).get("conditions", [])
    return any(each["status"] != "Unknown" for each in conditions)


def _report_pod(client: ApiClient, pod: Document, reports: Reports) -> None:
    if is_ending(pod):
        with unless_gone():
            client.delete({"apiVersion": "v1", "kind": "Pod", **pod})
    elif pod["status"].get("phase") == "Pending":
        _write(client, pod, _running(pod), reports)


def _provision(client: ApiClient, claim: Document, reports: Reports) -> None:
    """Make the volume that a claim asks for, to which the controller manager then binds it."""
    place = {key: claim["metadata"][key] for key in ("name", "namespace")}
    spec = {
        "accessModes": claim["spec"]["accessModes"],
        "capacity": claim["spec"]["resources"]["requests"],
        "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **place},
        "storageClassName": claim["spec"].get("storageClassName", ""),
        "hostPath": {"path": f"/{place['name']}"},
    }
    name = f"{place['namespace']}-{place['name']}"
    client.apply(manifest("v1 PersistentVolume", name, spec=spec))
    reports.kinds.add("PersistentVolumeClaim")


def _measure_pods(client: ApiClient, reports: Reports) -> None:
    for pod in client.find("v1", "Pod", fieldSelector="status.phase=Running"):
        uid = pod["metadata"]["uid"]
        if uid in reports.measured:
            continue
        with unless_gone():
            client.apply(pod_metrics(pod))
            reports.measured.add(uid)
            reports.kinds.add("PodMetrics")


def _find(client: ApiClient, api_version: str, kind: str) -> list[Document]:
    """Return the objects of a kind, with what identifies it; none where it is not served."""
    try:
        found = client.find(api_version, kind)
    except (ApiError, KeyError):
        return []
    return [{"apiVersion": api_version, "kind": kind, **each} for each in found]


def _write(client: ApiClient, document: Document, status: Document, reports: Reports) -> None:
    identified = {"apiVersion": "v1", "kind": "Pod", **document}
    with unless_gone():
        client.patch(identified, {"status": status}, "status")
        reports.kinds.add(identified["kind"])


def _running(pod: Document) -> Document:
    types = ("Initialized", "ContainersReady", "Ready")
    containers = [
        {
            "name": each["name"],
            "image": each["image"],
            "imageID": each["image"],
            "ready": True,
            "started": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": _NOW}},
        }
        for each in pod["spec"]["containers"]
    ]
    conditions = [*pod["status"]["conditions"], *(_condition(each) for each in types)]
    return {
        "phase": "Running",
        "startTime": _NOW,
        "conditions": conditions,
        "containerStatuses": containers,
    }


def _condition(name: str) -> Document:
    return {
        "type": name,
        "status": "True",
        "lastTransitionTime": _NOW,
        "reason": _READY,
        "message": "",
    }
