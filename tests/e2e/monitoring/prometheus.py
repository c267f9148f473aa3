"""A Prometheus that evaluates every second, and scrapes what ServiceMonitors have it scrape.

`generateServiceMonitorConfig` in pkg/prometheus/promcfg.go of
https://github.com/prometheus-operator/prometheus-operator at v0.93.0. Instead of asking an API
server for the pods of a Service, Prometheus gets the labels that it would find.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import urllib3

from charts_py.objects.manifest_yaml import to_yaml
from tests.e2e.processes.component import answers, component, free_ports

_REQUEST_SECONDS = 10
_EVERY = "1s"
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


@dataclass(frozen=True, slots=True)
class Prometheus:
    """One that runs."""

    url: str

    def query(self, expression: str) -> list[dict[str, str]]:
        """Return the labels of the series that an expression yields now."""
        found = self._get("query", query=expression)["result"]
        return [each["metric"] for each in found]

    def firing(self) -> set[str]:
        """Return the names of the alerts that fire, but for the one that always does."""
        alerts = self._get("alerts")["alerts"]
        names = {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}
        return names - {"GpuplaneHeartbeat"}

    def _get(self, what: str, **parameters: str) -> Any:
        url = f"{self.url}/api/v1/{what}?{urlencode(parameters)}"
        with urllib3.PoolManager(retries=False, timeout=_REQUEST_SECONDS) as pool:
            answer = json.loads(pool.request("GET", url).data)
        assert answer["status"] == "success", answer
        return answer["data"]


@contextmanager
def running_prometheus(
    program: Path,
    scraped: Sequence[Mapping[str, Any]],
    rules: Sequence[Path],
    alertmanager: str,
    folder: Path,
    logs: Path,
) -> Iterator[Prometheus]:
    """Run it until the context ends; raise ComponentError."""
    config = {
        "global": {
            "scrape_interval": _EVERY,
            "scrape_timeout": _EVERY,
            "evaluation_interval": _EVERY,
        },
        "rule_files": [str(file) for file in rules],
        "scrape_configs": list(scraped),
        "alerting": {"alertmanagers": [{"static_configs": [{"targets": [alertmanager]}]}]},
    }
    file = folder / "prometheus.yaml"
    file.write_text(to_yaml(config), encoding="utf-8")
    (port,) = free_ports(1)
    command: list[str | Path] = [
        program,
        f"--config.file={file}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
        f"--rules.alert.resend-delay={_EVERY}",
    ]
    url = f"http://127.0.0.1:{port}"
    with component("prometheus", command, logs) as running:
        running.wait_until("ready", lambda: answers(f"{url}/-/ready"))
        yield Prometheus(url)


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
