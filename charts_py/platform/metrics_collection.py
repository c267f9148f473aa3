"""Who collects the metrics of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from charts_py.cluster_file.addons import Prometheus

if TYPE_CHECKING:
    from charts_py.cluster_file.addons import Dashboards, Monitoring
    from charts_py.platform.provider_facts import ProviderFacts

MONITORING_NAMESPACE = "monitoring"
"""Of Prometheus, and of Grafana, where the cluster file names none."""


@dataclass(frozen=True, slots=True)
class MetricsCollection:
    """Who collects the metrics of a cluster; everything that scrapes or alerts follows it."""

    prometheus: Prometheus | None
    """Whose kinds of objects say what Prometheus scrapes and when it alerts; None where that is
    left to others."""
    namespaces: tuple[str, ...]
    """Where the collectors run, which may reach metrics ports."""
    interval: str
    """How often is scraped, as `15s`."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of what the Prometheus operator reads, by which it selects it."""
    runbooks: str | None = None
    """What the addresses of runbooks begin with; None where alerts link to none."""

    @property
    def has_operator(self) -> bool:
        """Whether the kinds of the Prometheus operator are emitted."""
        return self.prometheus is Prometheus.OPERATOR


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
