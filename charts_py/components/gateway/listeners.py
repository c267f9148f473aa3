"""The listeners of the Gateway: each team with a namespace of inference has one of its own."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.serving import Gateway
from charts_py.components.agentgateway import HTTPS_PORT
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import GATEWAY_NAMESPACE, team_domain
from gpus.platform_names import PURPOSE, TEAM

_PATH = ("serving", "gateway")
_ISSUER_GROUP = "cert-manager.io"
_MOST_LISTENERS = 64
"""Of a Gateway, by its definition."""


def check_listeners(draft: Draft) -> Iterator[Problem]:
    if draft.cluster.serving.gateway is None or not draft.is_whole(("teams",)):
        return
    purposes = ((path[1], each.purpose) for path, _, each in draft.namespaces())
    serving = {team for team, purpose in purposes if purpose is Purpose.INFERENCE}
    if not serving:
        what = "without effect: no namespace of a team has the purpose inference"
        yield Problem(_PATH, f"{what}; remove this line")
    elif len(serving) > _MOST_LISTENERS:
        what = f"{len(serving)} teams have a namespace of inference, and each has a listener"
        yield Problem(_PATH, what, f"at most {_MOST_LISTENERS} teams, as a Gateway has listeners")


def check_load_balancer(draft: Draft) -> Iterator[Problem]:
    gateway = draft.cluster.serving.gateway
    if gateway is None or draft.provider.makes_nodes:
        return
    if "public" in gateway.model_fields_set:
        what = "without effect: what makes load balancers here decides on their addresses"
        yield Problem((*_PATH, "public"), f"{what}; remove this line")


def listener(gateway: Gateway, team: str) -> dict[str, Any]:
    """Return the listener of a team, with what the API server would fill in."""
    certificates = [{"group": "", "kind": "Secret", "name": _secret(team)}]
    taken = {TEAM: team, PURPOSE: Purpose.INFERENCE.value}
    return {
        "name": team,
        "hostname": f"*.{team_domain(gateway, team)}",
        "port": HTTPS_PORT,
        "protocol": "HTTPS",
        "tls": {"mode": "Terminate", "certificateRefs": certificates},
        "allowedRoutes": {
            "kinds": [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute"}],
            "namespaces": {"from": "Selector", "selector": {"matchLabels": taken}},
        },
    }


def certificate(gateway: Gateway, team: str) -> Document:
    spec = {
        "dnsNames": [f"*.{team_domain(gateway, team)}"],
        "secretName": _secret(team),
        "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
        "usages": ["digital signature", "server auth"],
        "issuerRef": {"group": _ISSUER_GROUP, "kind": "ClusterIssuer", "name": gateway.issuer},
    }
    metadata = ObjectMeta(team, GATEWAY_NAMESPACE)
    return object_of(f"{_ISSUER_GROUP}/v1", "Certificate", metadata, {"spec": spec})


def _secret(team: str) -> str:
    return f"{team}-tls"
