"""The pods of the admission webhook's server."""

from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from charts_py.cluster_file.policies import Replicas, Webhook, WebhookApiServer
from charts_py.components.webhook.deployment import server_objects
from charts_py.objects.document import Document
from gpuplane.application import create_application
from tests.charts_py.components.opened import in_namespace, tcp

LABELS = {"app.kubernetes.io/name": "gpuplane-webhook"}
UNKNOWN = WebhookApiServer()
WITH_ADDRESSES = WebhookApiServer(addresses=("192.0.2.0/28", "2001:db8::1/128"))
WITH_CERTIFICATE = WebhookApiServer.model_construct(client_ca="PEM")


def _object(kind: str, api_server: WebhookApiServer = UNKNOWN) -> Document:
    objects = server_objects(
        Webhook.model_construct(api_server=api_server, replicas=Replicas()),
        image="registry.example.com/webhook:1",
        priority_class="system",
        certificate_secret="webhook-tls",  # noqa: S106 # a name
        collectors=("monitoring",),
        resources={},
    )
    (found,) = (each for each in objects if each["kind"] == kind)
    return found


@pytest.mark.parametrize("api_server", [WITH_ADDRESSES, WITH_CERTIFICATE])
def test_where_the_api_server_is_known_it_is_probed_at_a_port_of_its_own(
    api_server: WebhookApiServer,
) -> None:
    (container,) = _object("Deployment", api_server)["spec"]["template"]["spec"]["containers"]
    assert container["ports"] == [
        {"name": "https", "containerPort": 10250, "protocol": "TCP"},
        {"name": "operations", "containerPort": 8081, "protocol": "TCP"},
    ]
    assert container["args"][-1] == "--operations-port=8081"
    probes = {name: each["httpGet"] for name, each in container.items() if name.endswith("Probe")}
    at = {"port": "operations", "scheme": "HTTP"}
    assert probes == {
        "startupProbe": {"path": "/livez", **at},
        "livenessProbe": {"path": "/livez", **at},
        "readinessProbe": {"path": "/readyz", **at},
    }


def test_it_lets_in_the_api_servers_certificate_alone_where_its_authority_is_given() -> None:
    known = WebhookApiServer.model_construct(client_ca="PEM", client_names=("a", "b"))
    pod = _object("Deployment", known)["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["args"][-4:] == [
        "--client-ca=/etc/gpuplane/clients/ca.crt",
        "--client-name=a",
        "--client-name=b",
        "--operations-port=8081",
    ]
    assert container["volumeMounts"][-1] == {
        "name": "clients",
        "mountPath": "/etc/gpuplane/clients",
        "readOnly": True,
    }
    assert pod["volumes"][-1] == {
        "name": "clients",
        "configMap": {"name": "gpuplane-webhook-clients"},
    }


def test_it_is_started_as_the_command_line_allows() -> None:
    (container,) = _object("Deployment")["spec"]["template"]["spec"]["containers"]
    name, *options = container["args"]
    group = get_command(create_application())
    assert isinstance(group, TyperGroup)
    command = group.commands[name]
    given = command.make_context(name, list(options)).params
    assert (given["port"], str(given["settings"])) == (
        10250,
        "/etc/gpuplane/settings/settings.json",
    )


HTTPS = {"name": "https", "port": 443, "targetPort": "https", "protocol": "TCP"}
OPERATIONS = {"name": "operations", "port": 8081, "targetPort": "operations", "protocol": "TCP"}
REVIEWS = {"port": 10250, "protocol": "TCP"}
FROM_PROMETHEUS = {"from": [in_namespace("monitoring")], "ports": tcp(8081)}


@pytest.mark.parametrize(
    ("api_server", "ports"),
    [
        (UNKNOWN, [HTTPS]),
        (WITH_ADDRESSES, [HTTPS, OPERATIONS]),
        (WITH_CERTIFICATE, [HTTPS, OPERATIONS]),
    ],
)
def test_the_service_is_reached_at_the_port_of_https_and_at_that_of_metrics_where_it_is_apart(
    api_server: WebhookApiServer, ports: list[dict[str, Any]]
) -> None:
    assert _object("Service", api_server)["spec"] == {"selector": LABELS, "ports": ports}


@pytest.mark.parametrize(
    ("api_server", "ingress"),
    [
        (UNKNOWN, [{"ports": [REVIEWS]}]),
        (WITH_CERTIFICATE, [{"ports": [REVIEWS]}, FROM_PROMETHEUS]),
        (
            WITH_ADDRESSES,
            [
                {
                    "from": [
                        {"ipBlock": {"cidr": "192.0.2.0/28"}},
                        {"ipBlock": {"cidr": "2001:db8::1/128"}},
                    ],
                    "ports": [REVIEWS],
                },
                FROM_PROMETHEUS,
            ],
        ),
    ],
)
def test_the_port_of_reviews_is_open_to_the_api_server_where_it_is_known_and_nothing_leads_out(
    api_server: WebhookApiServer, ingress: list[dict[str, Any]]
) -> None:
    assert _object("NetworkPolicy", api_server)["spec"] == {
        "podSelector": {"matchLabels": LABELS},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": ingress,
    }
