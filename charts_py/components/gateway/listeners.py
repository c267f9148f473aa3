"""The listeners of the Gateway: each team that serves has one of its own, and each hub."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.serving import Gateway
from charts_py.components.agentgateway import HTTPS_PORT
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import GATEWAY_NAMESPACE, serving_namespaces, team_domain
from charts_py.platform.hubs import hub_listener, hubs
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
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
    hubs = [name for _, name, each in draft.namespaces() if each.jupyter_hub is not None]
    if not serving and not hubs:
        what = "without effect: no namespace of a team has the purpose inference, or a hub"
        yield Problem(_PATH, f"{what}; remove this line")
    elif len(serving) + len(hubs) > _MOST_LISTENERS:
        what = f"{len(serving)} teams with a namespace of inference and {len(hubs)} hubs"
        what = f"{what} have a listener each"
        yield Problem(_PATH, what, f"at most {_MOST_LISTENERS}, as a Gateway has listeners")


def check_load_balancer(draft: Draft) -> Iterator[Problem]:
    gateway = draft.cluster.serving.gateway
    if gateway is None or draft.provider.makes_nodes:
        return
    if "public" in gateway.model_fields_set:
        what = "without effect: what makes load balancers here decides on their addresses"
        yield Problem((*_PATH, "public"), f"{what}; remove this line")


@dataclass(frozen=True, slots=True)
class Listener:
    """A hostname, and from which namespaces it takes routes."""

    name: str
    hostname: str
    taken: Mapping[str, str]
    """Labels of these namespaces."""


def listeners(platform: Platform, gateway: Gateway) -> Iterator[Listener]:
    """Yield those of the teams that serve, and then those of hubs."""
    for team in sorted({each.team_name for each in serving_namespaces(platform)}):
        taken = {TEAM: team, PURPOSE: Purpose.INFERENCE.value}
        yield Listener(team, f"*.{team_domain(gateway, team)}", taken)
    for namespace, hub in hubs(platform):
        taken = {NAMESPACE_NAME_LABEL: namespace.name}
        yield Listener(hub_listener(namespace.name), hub.hostname, taken)


def listener(one: Listener) -> dict[str, Any]:
    """Return a listener, with what the API server would fill in."""
    certificates = [{"group": "", "kind": "Secret", "name": _secret(one)}]
    return {
        "name": one.name,
        "hostname": one.hostname,
        "port": HTTPS_PORT,
        "protocol": "HTTPS",
        "tls": {"mode": "Terminate", "certificateRefs": certificates},
        "allowedRoutes": {
            "kinds": [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute"}],
            "namespaces": {"from": "Selector", "selector": {"matchLabels": one.taken}},
        },
    }


def certificate(gateway: Gateway, one: Listener) -> Document:
    spec = {
        "dnsNames": [one.hostname],
        "secretName": _secret(one),
        "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
        "usages": ["digital signature", "server auth"],
        "issuerRef": {"group": _ISSUER_GROUP, "kind": "ClusterIssuer", "name": gateway.issuer},
    }
    metadata = ObjectMeta(one.name, GATEWAY_NAMESPACE)
    return object_of(f"{_ISSUER_GROUP}/v1", "Certificate", metadata, {"spec": spec})


def _secret(one: Listener) -> str:
    return f"{one.name}-tls"
