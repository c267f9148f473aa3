"""The collectors of a cluster's metrics, and the targets that they scrape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from charts_py.cluster_file.addons import Prometheus

if TYPE_CHECKING:
    from charts_py.cluster_file.addons import Dashboards, Monitoring
    from charts_py.platform.provider_facts import ProviderFacts

MONITORING_NAMESPACE = "monitoring"
"""The namespace of Prometheus, and of Grafana, where the cluster file names none."""


@dataclass(frozen=True, slots=True)
class MetricsCollection:
    """The collectors of a cluster's metrics; everything that scrapes or alerts follows it."""

    prometheus: Prometheus | None
    """Its kinds of objects say what is scraped and when to alert; None where the cluster leaves
    that to others."""
    namespaces: tuple[str, ...]
    """The collectors run there; network policies let them reach metrics ports."""
    interval: str
    """The time between two scrapes, as `15s`."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The Prometheus operator selects the objects that it reads by these."""
    runbooks: str | None = None
    """The addresses of runbooks begin with this; None where alerts link to none."""

    @property
    def has_operator(self) -> bool:
        """Whether the kinds of the Prometheus operator are emitted."""
        return self.prometheus is Prometheus.OPERATOR


@dataclass(frozen=True, slots=True)
class ScrapeTarget:
    """Pods that serve metrics, and the Service before them."""

    name: str
    namespace: str
    selector: Mapping[str, str]
    """Labels of the Service and of its pods."""
    port: str
    """Name of its port, and of theirs."""
    path: str = "/metrics"
    tls: Mapping[str, Any] = field(default_factory=dict)
    """`tlsConfig` of the Prometheus operator; empty for plain HTTP."""
    names_node: bool = False
    """Whether its metrics get the node of the pod as the label `node`."""
    is_authorized: bool = False
    """Whether the Prometheus of the operator shows the token of its own service account."""
    honors_labels: bool = False
    """Whether its metrics keep labels that Prometheus would otherwise set: they name others."""


def dashboards_namespace(monitoring: Monitoring, asked: Dashboards) -> str:
    """Return the namespace of the dashboards' ConfigMaps, by the cluster file or by default."""
    return asked.namespace or monitoring.namespace or MONITORING_NAMESPACE


def metrics_collection(monitoring: Monitoring, provider: ProviderFacts) -> MetricsCollection:
    """Return who collects, by the cluster file or else by what the provider has."""
    prometheus = monitoring.prometheus or provider.prometheus[0]
    own = (monitoring.namespace,) if monitoring.namespace else ()
    is_managed = prometheus is not Prometheus.OPERATOR
    return MetricsCollection(
        prometheus=prometheus if monitoring.service_monitors else None,
        namespaces=(*provider.collector_namespaces, *own)
        if is_managed
        else own or (MONITORING_NAMESPACE,),
        interval=monitoring.interval,
        labels=monitoring.labels,
        runbooks=monitoring.runbooks,
    )
