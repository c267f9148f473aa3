"""The Gateway of a cluster: its name, and the hostnames of each team."""

from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.serving import Gateway
from charts_py.platform.platform import Platform, TeamNamespace

GATEWAY = "gateway"
"""Name of the Gateway, and of the Deployment of its proxies."""
GATEWAY_NAMESPACE = "agentgateway-system"
"""Where agentgateway's documentation installs it; the Gateway, too, stands there."""


def serving_namespaces(platform: Platform) -> tuple[TeamNamespace, ...]:
    """Return the namespaces of teams whose routes the Gateway takes."""
    return tuple(each for each in platform.namespaces if each.spec.purpose is Purpose.INFERENCE)


def team_domain(gateway: Gateway, team: str) -> str:
    """Return what the hostnames of a team end with."""
    return f"{team}.{gateway.domain}"
