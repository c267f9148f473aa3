"""The pods of the admission webhook's server."""

from collections.abc import Mapping
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


def _object(
    kind: str, api_server: WebhookApiServer = UNKNOWN, replicas: Replicas | None = None
) -> Document:
    objects = server_objects(
        Webhook.model_construct(api_server=api_server, replicas=replicas or Replicas()),
        image="registry.example.com/webhook:1",
        priority_class="system",
        certificate_secret="webhook-tls",  # noqa: S106 # a name
        collectors=("monitoring",),
    )
    (found,) = (each for each in objects if each["kind"] == kind)
    return found


@pytest.fixture
def spec() -> dict[str, Any]:
    found: dict[str, Any] = _object("Deployment")["spec"]
    return found


@pytest.fixture
def pod(spec: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = spec["template"]["spec"]
    return found


def test_the_autoscaler_alone_counts_replicas(spec: Mapping[str, Any]) -> None:
    assert {name: value for name, value in spec.items() if name != "template"} == {
        "selector": {"matchLabels": LABELS},
        "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
    }
    assert spec["template"]["metadata"] == {"labels": LABELS}


def test_it_has_no_token_of_the_api(pod: Mapping[str, Any]) -> None:
    assert _object("ServiceAccount")["automountServiceAccountToken"] is False
    assert (pod["serviceAccountName"], pod["automountServiceAccountToken"]) == (
        "gpuplane-webhook",
        False,
    )


def test_it_meets_the_restricted_standard_on_a_read_only_root(pod: Mapping[str, Any]) -> None:
    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 65532,
        "runAsGroup": 65532,
        "fsGroup": 65532,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert [container["securityContext"] for container in pod["containers"]] == [
        {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        }
    ]
    volumes = {kind for volume in pod["volumes"] for kind in volume if kind != "name"}
    assert volumes == {"configMap", "secret", "emptyDir"}


def test_replicas_are_spread_over_nodes_and_zones_that_have_no_gpus(pod: Mapping[str, Any]) -> None:
    spread = [
        (constraint["topologyKey"], constraint["whenUnsatisfiable"], constraint["labelSelector"])
        for constraint in pod["topologySpreadConstraints"]
    ]
    assert spread == [
        ("kubernetes.io/hostname", "DoNotSchedule", {"matchLabels": LABELS}),
        ("topology.kubernetes.io/zone", "ScheduleAnyway", {"matchLabels": LABELS}),
    ]
    # A node with a taint takes no pod of these, and counts for no domain.
    assert [c["nodeTaintsPolicy"] for c in pod["topologySpreadConstraints"]] == ["Honor", "Honor"]
    required = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert required["nodeSelectorTerms"] == [
        {"matchExpressions": [{"key": "gpuplane.io/pool", "operator": "DoesNotExist"}]}
    ]
    assert "tolerations" not in pod


def test_it_is_probed_over_tls(pod: Mapping[str, Any]) -> None:
    (container,) = pod["containers"]
    _assert_probed(container, {"port": "https", "scheme": "HTTPS"})


def _assert_probed(container: Mapping[str, Any], at: Mapping[str, str]) -> None:
    probes = {name: each["httpGet"] for name, each in container.items() if name.endswith("Probe")}
    assert probes == {
        "startupProbe": {"path": "/livez", **at},
        "livenessProbe": {"path": "/livez", **at},
        "readinessProbe": {"path": "/readyz", **at},
    }


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
    _assert_probed(container, {"port": "operations", "scheme": "HTTP"})


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


def test_it_mounts_its_settings_and_the_secret_of_its_certificate(pod: Mapping[str, Any]) -> None:
    assert pod["volumes"] == [
        {"name": "settings", "configMap": {"name": "gpuplane-webhook-settings"}},
        {"name": "certificate", "secret": {"secretName": "webhook-tls", "defaultMode": 0o440}},
        {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}},
    ]


def test_what_it_is_told_to_read_is_mounted(pod: Mapping[str, Any]) -> None:
    (container,) = pod["containers"]
    assert container["args"] == [
        "serve",
        "--port=10250",
        "--settings=/etc/gpuplane/settings/settings.json",
        "--certificate=/etc/gpuplane/certificate/tls.crt",
        "--key=/etc/gpuplane/certificate/tls.key",
    ]
    mounted = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounted == {
        "settings": "/etc/gpuplane/settings",
        "certificate": "/etc/gpuplane/certificate",
        "temporary": "/tmp",  # noqa: S108 # a volume of the pod's own
    }
    assert {volume["name"] for volume in pod["volumes"]} == set(mounted)


def test_it_is_started_as_the_command_line_allows(pod: Mapping[str, Any]) -> None:
    (container,) = pod["containers"]
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


def test_load_adds_replicas() -> None:
    assert _object("HorizontalPodAutoscaler", replicas=Replicas(min=3, max=9))["spec"] == {
        "scaleTargetRef": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "gpuplane-webhook",
        },
        "minReplicas": 3,
        "maxReplicas": 9,
        "metrics": [
            {
                "type": "Resource",
                "resource": {
                    "name": "cpu",
                    "target": {"type": "Utilization", "averageUtilization": 70},
                },
            }
        ],
    }


def test_a_drain_takes_one_pod_at_a_time() -> None:
    assert _object("PodDisruptionBudget")["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": LABELS},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
