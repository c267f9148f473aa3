"""What changes of monitoring do: alerts, scrapes and dashboards change, and nothing that runs."""

from gpuplane.plan.fields import value_at
from gpuplane.plan.object_change import ObjectChange


def is_dashboard(change: ObjectChange) -> bool:
    """Return whether a ConfigMap holds nothing but dashboards, as Grafana's sidecar takes them."""
    data = value_at(change.document, "data") or {}
    return bool(data) and all(
        name.endswith(".json") and '"panels"' in text for name, text in data.items()
    )
