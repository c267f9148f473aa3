"""What Prometheus scrapes of a component."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.spec.addons import Monitoring


@dataclass(frozen=True, slots=True)
class ScrapeTarget:
    """A Service whose pods serve metrics."""

    name: str
    namespace: str
    selector: Mapping[str, str]
    """Labels of the Service."""
    port: str
    """Name of its port."""
    path: str = "/metrics"
    tls: Mapping[str, Any] = field(default_factory=dict)
    """`tlsConfig` of the Prometheus operator; empty for plain HTTP."""


def service_monitors(
    targets: Iterable[ScrapeTarget], monitoring: Monitoring
) -> tuple[Document, ...]:
    """Return the ServiceMonitors of targets, where the cluster wants them."""
    wanted = targets if monitoring.service_monitors else ()
    return tuple(_service_monitor(target, monitoring) for target in wanted)


def _service_monitor(target: ScrapeTarget, monitoring: Monitoring) -> Document:
    endpoint: dict[str, Any] = {
        "port": target.port,
        "path": target.path,
        "scheme": "https" if target.tls else "http",
        "interval": monitoring.interval,
    }
    if target.tls:
        endpoint["tlsConfig"] = dict(target.tls)
    metadata = ObjectMeta(target.name, target.namespace, labels=target.selector)
    spec = {"selector": {"matchLabels": dict(target.selector)}, "endpoints": [endpoint]}
    return object_of("monitoring.coreos.com/v1", "ServiceMonitor", metadata, {"spec": spec})
