"""OpenCost's chart, and its values, by which it counts at the prices of the pools."""

from collections.abc import Mapping
from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.components.opencost.prices import PRICES_FILE
from charts_py.metrics.series import known_series
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from charts_py.platform.pool_price import HOURS_OF_A_MONTH

OPENCOST_NAME = "opencost"
"""Name of its chart, its namespace and its Application."""
PRICES_CONFIG_MAP = "pool-prices"
PORT = 9003
"""Of its API and metrics."""

_SPLIT_HOURS: Mapping[str, float] = {"CPU": 0.00007, "RAM": 0.00001, "GPU": 1, "storage": 0}
"""By whose ratios OpenCost splits the price of a node: a GPU weighs as much as 100,000 GiB, so that
it bears nearly all. What has no price costs as good as nothing, by these alone, and not what a
cloud lists in US dollars, which OpenCost brings. None of a node's may be 0: OpenCost keeps six
digits, and records no node one of whose prices is 0 (`outlierFactor` in
https://github.com/opencost/opencost, pkg/costmodel/metrics.go at 02e06667)."""

_SECURITY_CONTEXT: Mapping[str, Any] = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
_PRICES_FOLDER = "/etc/pool-prices"
_VOLUME = "pool-prices"

OPENCOST_CHART = Chart(
    repository="https://opencost.github.io/opencost-helm-chart",
    name=OPENCOST_NAME,
    kinds=lambda _: (
        EmittedKind("", "ConfigMap", namespaced=True),
        EmittedKind("", "Service", namespaced=True),
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind("apps", "Deployment", namespaced=True),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    ),
    images=(
        ChartImage(
            section="opencost.exporter.image",
            repository="ghcr.io/opencost/opencost",
            registry_key="registry",
            tag="1.120.1@sha256:b0701f9b54e43c9abee98f5784792a5b469ca8951e87da32b161c1fa539ab0e1",
        ),
        ChartImage(
            section="opencost.ui.image",
            repository="ghcr.io/opencost/opencost-ui",
            registry_key="registry",
            tag="1.120.1@sha256:7c08640291228fd13854c9aa0538a6fdbcc2410bfbb66177a7a40d2634983c52",
            runs_where={"opencost.ui.enabled": True},
        ),
    ),
)


def opencost_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    return {
        "opencost": {
            "exporter": {
                "defaultClusterId": platform.name,
                "extraEnv": {
                    "USE_CSV_PROVIDER": "true",
                    "CSV_PATH": f"{_PRICES_FOLDER}/{PRICES_FILE}",
                },
                "extraVolumeMounts": [
                    {"name": _VOLUME, "mountPath": _PRICES_FOLDER, "readOnly": True}
                ],
                "securityContext": dict(_SECURITY_CONTEXT),
            },
            "customPricing": {"enabled": True, "costModel": _cost_model()},
            "metrics": {
                # Cores and bytes of nodes by names that kube-state-metrics no longer has.
                "kubeStateMetrics": {"emitKsmV1Metrics": False, "emitKsmV1MetricsOnly": True},
                "config": {"enabled": True, "disabledMetrics": _of_kube_state_metrics()},
            },
            "prometheus": {
                "internal": {"enabled": False},
                "external": {
                    "enabled": True,
                    "url": platform.cluster.addons.monitoring.prometheus_url,
                },
            },
            # Both show whoever reaches them what every team costs.
            "ui": {"enabled": False},
            "mcp": {"enabled": False},
        },
        "extraVolumes": [{"name": _VOLUME, "configMap": {"name": PRICES_CONFIG_MAP}}],
        **pull_secrets(platform.cluster.pull_secret_names),
    }


def _cost_model() -> dict[str, str]:
    """Return the split as the chart's values have it: by the month, of which OpenCost makes hours.

    https://github.com/opencost/opencost, `UpdateFromMap` in pkg/cloud/provider/providerconfig.go
    at 5f653330.
    """
    months = {name: f"{hour * HOURS_OF_A_MONTH:g}" for name, hour in _SPLIT_HOURS.items()}
    return {**months, "spotCPU": months["CPU"], "spotRAM": months["RAM"]}


def _of_kube_state_metrics() -> list[str]:
    """Return series that OpenCost leaves to kube-state-metrics: rules would count them twice."""
    read = {each.name for each in known_series().kube_state}
    return sorted({"kube_namespace_labels", "kube_pod_labels", *read})
