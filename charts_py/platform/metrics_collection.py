"""The collectors of a cluster's metrics, the targets that they scrape, and the rules they go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from charts_py.cluster_file.addons import Dashboards, Monitoring, Prometheus

if TYPE_CHECKING:
    from charts_py.platform.provider_facts import ProviderFacts


class Severity(StrEnum):
    """How soon a person is needed."""

    CRITICAL = "critical"
    """Now, at night as well: a share of a pool is gone, teams are without service, or harm
    spreads."""
    WARNING = "warning"
    """In working hours: one GPU, or one node, is what a pool has spare capacity for."""
    INFO = "info"
    """Somebody may look at it some time: nothing is broken."""


class Recipient(StrEnum):
    """Who acts on an alert."""

    ON_CALL = "on-call"
    """Whoever of the platform is on call, who is woken."""
    PLATFORM = "platform"
    """The platform team, in working hours."""
    TEAM = "team"
    """The team of the namespace, which the label `team` names."""


class Alert(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One alert, as a group of rules lists it."""

    name: str
    expression: str
    """The expression in PromQL. Whoever scrapes a target, its labels are `namespace` and `job`: the
    name of its Service, or that of its PodMonitoring."""
    lasting: str
    """The expression must hold for this long, as `5m`."""
    severity: Severity
    recipient: Recipient
    urgency: str = ""
    """Why it cannot wait until the morning; only of those that are critical."""
    summary: str
    """It says what is wrong, and what that means."""
    remedy: str
    """It says what to do, what comes first before the rest."""
    source: str
    """Why it fires at this threshold and not at another, in Markdown, with the page that says so
    unless it follows from the platform itself. It is not emitted."""

    def rule(self, runbooks: str | None = None) -> dict[str, Any]:
        """Return it as a rule of a group, with a link where runbooks have an address.

        That of a runbook ends with the name in lower case, as the anchor of a heading does.
        """
        link = {} if runbooks is None else {"runbook_url": f"{runbooks}{self.name.lower()}"}
        urgency = {"urgency": self.urgency} if self.urgency else {}
        return {
            "alert": self.name,
            "expr": self.expression,
            "for": self.lasting,
            "labels": {"severity": self.severity.value},
            "annotations": {"summary": self.summary, "description": self.remedy, **urgency, **link},
        }


@dataclass(frozen=True, slots=True)
class RecordingRule:
    """One series that Prometheus computes once and keeps, for others to read."""

    record: str
    """Name of the series: level, metric and operation, as `team:gpuplane_used_gpus:sum`."""
    expression: str
    """In PromQL."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that it gets, beside those that the expression leaves."""

    def rule(self) -> dict[str, Any]:
        labels = {"labels": dict(self.labels)} if self.labels else {}
        return {"record": self.record, "expr": self.expression, **labels}


Rule: TypeAlias = Alert | RecordingRule


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules that Prometheus evaluates one after another; each reads what those before recorded."""

    name: str
    namespace: str
    rules: tuple[Rule, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    """The labels of the object that holds them."""
    reads_other_namespaces: bool = False
    """Whether some metric is of pods in other namespaces."""

    def manifest(self, runbooks: str | None) -> dict[str, Any]:
        """Return the group as Prometheus reads it, with links where runbooks have an address."""
        rules = [
            each.rule(runbooks) if isinstance(each, Alert) else each.rule() for each in self.rules
        ]
        return {"name": self.name, "rules": rules}

    @property
    def alerts(self) -> tuple[Alert, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, Alert))


MONITORING_NAMESPACE = "monitoring"
"""The namespace of Prometheus, and of Grafana, where the cluster file names none."""


@dataclass(frozen=True, slots=True)
class MetricsCollection:
    """The collectors of a cluster's metrics; everything that scrapes or alerts follows it."""

    prometheus: Prometheus | None
    """The one whose kinds of objects say what is scraped and when to alert; None where the cluster
    leaves that to others."""
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
    return asked.namespace or monitoring.namespace or MONITORING_NAMESPACE


def metrics_collection(monitoring: Monitoring, provider: ProviderFacts) -> MetricsCollection:
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
