"""The Gateway, by which requests from outside of the cluster reach the services of teams.

Each team with a namespace of inference has a listener of its own, for `*.TEAM.DOMAIN`, which takes
routes of these namespaces alone: no team gets requests for hostnames of another. So has each
JupyterHub, for its hostname. It answers over TLS, with a certificate for each of them, and asks
nobody who they are. A policy of the API server keeps routes in their namespaces. Argo CD syncs it
last, so that a load balancer without an address holds up nothing else.
https://gateway-api.sigs.k8s.io
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.admission_policy import policy_objects
from charts_py.components.agentgateway import AGENTGATEWAY
from charts_py.components.chart_versions import chart_version
from charts_py.components.controller_sizes import SIZE_FIELDS, container_resources, sized
from charts_py.components.definition import Definition
from charts_py.components.gateway.listeners import (
    certificate,
    check_listeners,
    check_load_balancer,
    listener,
    listeners,
)
from charts_py.components.gateway.routes import routes
from charts_py.components.network_rules import in_namespace, tcp
from charts_py.components.object_table import read_objects
from charts_py.objects.document import Document
from charts_py.objects.pods import secret_references
from charts_py.platform.contribution import Contribution, Controller, TeamAdditions
from charts_py.platform.gateway import (
    GATEWAY,
    GATEWAY_NAMESPACE,
    GATEWAY_SELECTOR,
    serving_namespaces,
)
from charts_py.platform.hubs import HUB_PROXY, HUB_PROXY_PORT, hubs
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.image import registry_of

_IMAGE = "cr.agentgateway.dev/agentgateway"
"""Of a proxy; its tag is the version of the chart."""
_SHUTDOWN, _SHUTDOWN_OF_SLEEPERS = 300, 3600
"""Seconds that a proxy has for the requests that it has; some wait for a model to load."""
_TARGET = ScrapeTarget(f"{GATEWAY}-metrics", GATEWAY_NAMESPACE, GATEWAY_SELECTOR, port="metrics")


def gateway_objects(platform: Platform) -> Iterator[Document]:
    gateway = platform.cluster.serving.gateway
    assert gateway is not None  # noqa: S101 # it is not wanted without
    every = [*listeners(platform, gateway)]
    can_sleep = platform.cluster.serving.keda_http_add_on is not None
    yield from read_objects(
        __package__,
        gateway=GATEWAY,
        gateway_class=AGENTGATEWAY,
        image=_image(platform),
        namespace=GATEWAY_NAMESPACE,
        selector=GATEWAY_SELECTOR,
        listeners=[listener(each) for each in every],
        priority_class=platform.cluster.platform_priority,
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        replicas=sized(platform, GATEWAY).replicas,
        resources=container_resources(platform, GATEWAY),
        longest_end=_SHUTDOWN_OF_SLEEPERS if can_sleep else _SHUTDOWN,
        service=_service(platform, is_public=gateway.public),
    )
    yield from (certificate(gateway, each) for each in every)
    yield from policy_objects((routes(can_sleep=can_sleep),))


def _image(platform: Platform) -> Mapping[str, str]:
    registry, _, repository = platform.mirrors.of(_IMAGE).partition("/")
    tag = chart_version(platform.cluster, AGENTGATEWAY)
    return {"registry": registry, "repository": repository, "tag": tag}


def _service(platform: Platform, *, is_public: bool) -> Mapping[str, Any] | None:
    """Return what the load balancer's Service has besides; None for nothing."""
    provider = platform.provider
    annotations = provider.public_service if is_public else provider.internal_service
    return {"metadata": {"annotations": dict(annotations)}} if annotations else None


def _contribution(platform: Platform) -> Contribution:
    """Let its proxies reach the pods of namespaces of inference, on all ports, and hubs."""
    proxies = {**in_namespace(GATEWAY_NAMESPACE), "podSelector": {"matchLabels": GATEWAY_SELECTOR}}
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"from": [proxies]}]}
    of_hub = {
        **spec,
        "podSelector": {"matchLabels": HUB_PROXY},
        "ingress": [{"from": [proxies], "ports": tcp([HUB_PROXY_PORT])}],
    }
    opened = {each.name: spec for each in serving_namespaces(platform)}
    opened |= {each.name: of_hub for each, _ in hubs(platform)}
    return Contribution(
        controllers=(
            Controller(
                GATEWAY_NAMESPACE, GATEWAY, "no request from outside reaches a service of a team"
            ),
        ),
        teams={
            name: {GATEWAY: TeamAdditions(network_policies={"allow-gateway": each})}
            for name, each in opened.items()
        },
    )


GATEWAY_DEFINITION = Definition(
    name=GATEWAY,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.gateway is not None,
    fields=(
        "serving.gateway",
        "serving.kedaHttpAddOn",
        "teams",
        "priorities",
        "charts",
        "imagePullSecrets",
        "registries",
        *SIZE_FIELDS,
    ),
    depends_on=(AGENTGATEWAY, "cert-manager"),
    wave=Wave.EXTENSIONS,
    namespace=GATEWAY_NAMESPACE,
    objects=gateway_objects,
    registries=lambda _: (registry_of(_IMAGE),),
    checks=(check_listeners, check_load_balancer),
    contributes=_contribution,
    scraped=lambda _: (_TARGET,),
)
