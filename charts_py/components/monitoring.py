"""What Prometheus scrapes of the platform, and when it alerts.

Each component says what of its own is scraped and what is alerted on. It all stands here, in the
last wave: where a cluster lacks these kinds, nothing else waits for them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from charts_py.cluster_file.addons import Prometheus
from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import NOTHING, Access, Contribution, Use
from charts_py.platform.metrics_collection import MetricsCollection, RuleGroup, ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave

_OPERATOR = "monitoring.coreos.com/v1"
_GOOGLE_GROUP = "monitoring.googleapis.com"
_GOOGLE = f"{_GOOGLE_GROUP}/v1"

_EVALUATED_EVERY = "1m"
"""Google's default, which the API server would otherwise fill in."""

_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token"  # noqa: S105 # where it stands
"""The token of a pod's service account, in the pod."""

_TargetObject: TypeAlias = Callable[[ScrapeTarget, str], Document]
_GroupObject: TypeAlias = Callable[[RuleGroup, str | None], Document]


def monitoring_objects(
    targets: Iterable[ScrapeTarget], groups: Iterable[RuleGroup], collection: MetricsCollection
) -> Iterator[Document]:
    if collection.prometheus is None:
        return
    group_object, target_object = _KINDS[collection.prometheus]
    yield from (group_object(group, collection.runbooks) for group in groups)
    yield from (target_object(target, collection.interval) for target in targets)


def _prometheus_rule(group: RuleGroup, runbooks: str | None) -> Document:
    metadata = ObjectMeta(group.name, group.namespace, labels=group.labels)
    spec = {"groups": [group.manifest(runbooks)]}
    return object_of(_OPERATOR, "PrometheusRule", metadata, {"spec": spec})


def _service_monitor(target: ScrapeTarget, interval: str) -> Document:
    endpoint = _endpoint(target, interval)
    if target.tls:
        endpoint["tlsConfig"] = dict(target.tls)
    if target.is_authorized:
        endpoint["bearerTokenFile"] = _TOKEN
    if target.honors_labels:
        endpoint["honorLabels"] = True
    spec = {"selector": {"matchLabels": dict(target.selector)}, "endpoints": [endpoint]}
    return object_of(_OPERATOR, "ServiceMonitor", _metadata(target), {"spec": spec})


def _google_rules(group: RuleGroup, runbooks: str | None) -> Document:
    """Return Rules, which see the metrics of their own namespace alone, or else ClusterRules.

    https://github.com/GoogleCloudPlatform/prometheus-engine, doc/api.md at v0.17.2.
    """
    kind = "ClusterRules" if group.reads_other_namespaces else "Rules"
    namespace = None if group.reads_other_namespaces else group.namespace
    metadata = ObjectMeta(group.name, namespace, labels=group.labels)
    rules = {**group.manifest(runbooks), "interval": _EVALUATED_EVERY}
    return object_of(_GOOGLE, kind, metadata, {"spec": {"groups": [rules]}})


def _pod_monitoring(target: ScrapeTarget, interval: str) -> Document:
    endpoint = _endpoint(target, interval)
    if target.tls:
        # An authority can stand in a Secret alone, which the collectors may not read: it would be
        # that of the serving key. They send nothing that another server must not see.
        endpoint["tls"] = {"insecureSkipVerify": True}
    spec = {
        "selector": {"matchLabels": dict(target.selector)},
        "endpoints": [endpoint],
        "targetLabels": {"metadata": ["container", *["node"] * target.names_node, "pod"]},
    }
    return object_of(_GOOGLE, "PodMonitoring", _metadata(target), {"spec": spec})


def _endpoint(target: ScrapeTarget, interval: str) -> dict[str, Any]:
    return {
        "port": target.port,
        "path": target.path,
        "scheme": "https" if target.tls else "http",
        "interval": interval,
    }


def _metadata(target: ScrapeTarget) -> ObjectMeta:
    return ObjectMeta(target.name, target.namespace, labels=target.selector)


_KINDS: Mapping[Prometheus, tuple[_GroupObject, _TargetObject]] = {
    Prometheus.OPERATOR: (_prometheus_rule, _service_monitor),
    Prometheus.GOOGLE_MANAGED: (_google_rules, _pod_monitoring),
}


def _objects(platform: Platform) -> Iterator[Document]:
    watched = platform.watched
    return monitoring_objects(watched.scraped, watched.rules, platform.monitoring)


def _contribution(platform: Platform) -> Contribution:
    """Let teams say what is collected of their pods where Google does; the operator's, all do."""
    if platform.monitoring.prometheus is not Prometheus.GOOGLE_MANAGED:
        return NOTHING
    return Contribution(access=(Access(_GOOGLE_GROUP, ("podmonitorings",), Use.RUN),))


MONITORING = Definition(
    name="monitoring",
    description=__doc__,
    appears="unless the cluster leaves it to others",
    is_wanted=lambda platform: platform.monitoring.prometheus is not None,
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
        "addons.monitoring.labels",
        "addons.monitoring.runbooks",
        "addons.monitoring.gpuCounters",
        "pools.NAME.alerts",
        "driver.owner",
        # Of these is the hash by which the policies know the webhook's verdicts.
        "policies",
        "registries",
    ),
    # It stands in the namespaces of what it watches.
    depends_on=(
        "gpu-operator",
        "amd-gpu-operator",
        "node-problem-detector",
        "node-readiness-controller",
        "webhook",
    ),
    wave=Wave.EXTENSIONS,
    objects=_objects,
    contributes=_contribution,
    rules=alert_table("gpu-monitoring", KUBE_SYSTEM_NAMESPACE, __package__, "monitoring"),
)
