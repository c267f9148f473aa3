"""The Gateway of a cluster: its name, the hostnames of each team, and the pickers that it asks."""

from collections.abc import Mapping

from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.serving import Gateway
from charts_py.platform.platform import Platform, TeamNamespace

GATEWAY = "gateway"
"""Name of the Gateway, and of the Deployment of its proxies."""
GATEWAY_NAMESPACE = "agentgateway-system"
"""Where agentgateway's documentation installs it; the Gateway, too, stands there."""
GATEWAY_SELECTOR: Mapping[str, str] = {"gateway.networking.k8s.io/gateway-name": GATEWAY}
"""A label that its proxies have."""
POOL_GROUP = "inference.networking.k8s.io"
PICKER = "endpoint-picker"
"""The account of pickers in each namespace of inference."""
PICKER_SELECTOR: Mapping[str, str] = {"app.kubernetes.io/component": PICKER}
"""A label by which pods may reach the API server."""
PICKER_IMAGE = "ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.10.0"
SIDECAR_IMAGE = "ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.10.0"
"""What asks prefill before the engine of a decode pod. Teams run both."""


def serving_namespaces(platform: Platform) -> tuple[TeamNamespace, ...]:
    """Return the namespaces of teams whose routes the Gateway takes."""
    return tuple(each for each in platform.namespaces if each.spec.purpose is Purpose.INFERENCE)


def team_domain(gateway: Gateway, team: str) -> str:
    """Return what the hostnames of a team end with."""
    return f"{team}.{gateway.domain}"
