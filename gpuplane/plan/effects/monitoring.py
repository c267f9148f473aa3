"""What changes of monitoring do: alerts, scrapes and dashboards change, and nothing that runs."""

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, CHANGED, EITHER_SIDE, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_OPERATOR = "monitoring.coreos.com"
_MANAGED = "monitoring.googleapis.com"
_RULES = (f"PrometheusRule.{_OPERATOR}", f"ClusterRules.{_MANAGED}", f"Rules.{_MANAGED}")
_SCRAPES = (
    f"ServiceMonitor.{_OPERATOR}",
    f"PodMonitor.{_OPERATOR}",
    f"ScrapeConfig.{_OPERATOR}",
    f"PodMonitoring.{_MANAGED}",
    f"ClusterPodMonitoring.{_MANAGED}",
)
_CONFIG_MAP = ("ConfigMap",)
_COUNTERS = ("ConfigMap/dcgm-counters-*",)


def _is_dashboard(change: ObjectChange) -> bool:
    """Return whether a ConfigMap holds nothing but dashboards, as Grafana's sidecar takes them."""
    data = value_at(change.document, "data") or {}
    return bool(data) and all(
        name.endswith(".json") and '"panels"' in text for name, text in data.items()
    )


_READ_ANEW = "Prometheus reads the rules anew: alerts may fire or resolve, and nothing else."

ROWS: tuple[AnyRow, ...] = (
    *(
        Row(_RULES, Verdict.SAFE, _READ_ANEW, sources.PROMETHEUS_RULES, fields, changes)
        for fields, changes in ((("spec", "metadata.labels"), CHANGED), ((), ADDED))
    ),
    Row(
        _RULES,
        Verdict.SAFE,
        "Its alerts no longer fire, and its recorded series end.",
        sources.PROMETHEUS_RULES,
        changes=REMOVED,
    ),
    Row(
        _SCRAPES,
        Verdict.SAFE,
        "Prometheus scrapes differently from now on; no pod is touched.",
        sources.PROMETHEUS_RULES,
        fields=("spec", "metadata.labels"),
    ),
    Row(
        _SCRAPES,
        Verdict.SAFE,
        "Prometheus scrapes more from now on; no pod is touched.",
        sources.PROMETHEUS_RULES,
        changes=ADDED,
    ),
    Row(
        _SCRAPES,
        Verdict.SAFE,
        "Series of it end, and alerts on them no longer fire; no pod is touched.",
        sources.PROMETHEUS_RULES,
        changes=REMOVED,
    ),
    Row(
        _CONFIG_MAP,
        Verdict.SAFE,
        "A dashboard of Grafana changes, and nothing else.",
        sources.DOCS_CONFIG_MAPS,
        fields=("data", "metadata"),
        object_condition=_is_dashboard,
    ),
    Row(
        _CONFIG_MAP,
        Verdict.SAFE,
        "A dashboard of Grafana comes or goes, and nothing else.",
        sources.DOCS_CONFIG_MAPS,
        changes=EITHER_SIDE,
        object_condition=_is_dashboard,
    ),
    Row(
        _COUNTERS,
        Verdict.SAFE,
        "The name says what is in it: the exporter's settings name which one it reads.",
        sources.GPU_OPERATOR,
        changes=EITHER_SIDE,
    ),
)
