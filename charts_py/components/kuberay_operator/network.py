"""Whom KubeRay's operator reaches in a team's namespace."""

from typing import Any

from charts_py.components.kuberay_operator.values import NAMESPACE, SELECTOR
from charts_py.components.network_rules import in_namespace, tcp
from policies.workloads.job_label import RAY

_DASHBOARD_PORT = 8265
_SERVE_PORT = 8000
"""It submits jobs to a cluster and asks for their state at the one, and whether replicas serve at
the other (https://github.com/ray-project/kuberay, `DefaultDashboardPort` and `DefaultServingPort`
in ray-operator/controllers/ray/utils/constant.go at v1.7.0)."""


def allow_ray_operator() -> dict[str, Any]:
    """Return the `spec` of a NetworkPolicy: let the operator reach the pods of Ray clusters."""
    operator = {**in_namespace(NAMESPACE), "podSelector": {"matchLabels": SELECTOR}}
    return {
        "podSelector": {"matchExpressions": [{"key": RAY.key, "operator": "Exists"}]},
        "policyTypes": ["Ingress"],
        "ingress": [{"from": [operator], "ports": tcp([_DASHBOARD_PORT, _SERVE_PORT])}],
    }
