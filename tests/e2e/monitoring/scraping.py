"""What Prometheus is told to scrape, as the Prometheus operator tells it by a ServiceMonitor.

`generateServiceMonitorConfig` in pkg/prometheus/promcfg.go of
https://github.com/prometheus-operator/prometheus-operator at v0.93.0. Instead of asking an API
server for the pods of a Service, Prometheus gets the labels that it would find.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_KEPT = {
    "namespace": "__meta_kubernetes_namespace",
    "service": "__meta_kubernetes_service_name",
    "pod": "__meta_kubernetes_pod_name",
    "container": "__meta_kubernetes_pod_container_name",
    "job": "__meta_kubernetes_service_name",
}
"""The labels that every target gets, and where they come from."""


@dataclass(frozen=True, slots=True)
class ScrapedPod:
    """A pod behind a Service, with what Prometheus knows of it before it is scraped."""

    name: str
    namespace: str
    service: str
    container: str
    node: str

    def target(self, port: int) -> dict[str, Any]:
        """Return it as a target on loopback, at the path of its name."""
        labels = {
            "__metrics_path__": f"/{self.name}",
            "__meta_kubernetes_namespace": self.namespace,
            "__meta_kubernetes_service_name": self.service,
            "__meta_kubernetes_pod_name": self.name,
            "__meta_kubernetes_pod_container_name": self.container,
            "__meta_kubernetes_pod_node_name": self.node,
        }
        return {"targets": [f"127.0.0.1:{port}"], "labels": labels}


def scrape_config(
    pods: Sequence[ScrapedPod], port: int, endpoint: Mapping[str, Any]
) -> dict[str, Any]:
    """Return how the pods of a Service are scraped, by an endpoint of its ServiceMonitor."""
    kept = ({"source_labels": [source], "target_label": label} for label, source in _KEPT.items())
    return {
        "job_name": pods[0].service,
        "honor_labels": endpoint.get("honorLabels", False),
        "static_configs": [pod.target(port) for pod in pods],
        "relabel_configs": [*kept, *_relabelings(endpoint.get("relabelings", ()))],
    }


def _relabelings(relabelings: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    """Yield relabelings of a ServiceMonitor with the keys of Prometheus, as `source_labels`."""
    for each in relabelings:
        yield {re.sub("[A-Z]", lambda up: f"_{up[0].lower()}", key): each[key] for key in each}
