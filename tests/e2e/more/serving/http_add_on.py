"""KEDA's HTTP add-on, with the rights and settings that its chart gives it on the platform."""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import urllib3

from charts_py.components.keda_http_add_on.definition import KEDA_HTTP_ADD_ON_DEFINITION
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.interceptor import KEDA_HTTP_ADD_ON
from charts_py.platform.platform import Platform
from tests.binaries.http_add_on import build_http_add_on, http_add_on_crds
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.service_accounts import account_kubeconfig
from tests.e2e.manifest import manifest
from tests.e2e.monitoring.loopback import Reply, serving
from tests.e2e.more.serving.keda import RIGHTS, rendered_chart
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases.crds import install
from tests.e2e.releases.objects import applied, namespace

_LOOPBACK = "127.0.0.1"
_CHART = "keda-add-ons-http"
_INTERCEPTOR = "192.0.2.1"
"""The address of its pod, as the API server has it."""
_PATIENCE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class HttpAddOn:
    proxy: int
    """The port of the interceptor, where the Gateway sends requests."""
    scaler: int
    """The port where KEDA asks."""


@contextmanager
def running_http_add_on(
    control_plane: ControlPlane, platform: Platform, logs: Path, answer: Callable[[str], Reply]
) -> Iterator[HttpAddOn]:
    """Run interceptor and scaler; the definitions of their kinds stay.

    A proxy stands for the network of the cluster: what the interceptor sends on is answered by its
    host, and what the scaler asks of the interceptor's pod goes to this machine.
    """
    client = control_plane.admin
    install(client, [each for file in http_add_on_crds() for each in from_yaml(file.read_text())])
    chart = rendered_chart(KEDA_HTTP_ADD_ON_DEFINITION, platform)
    rights = [each for each in chart if each["kind"] in RIGHTS]
    proxy, admin, scaler = free_ports(3)

    def network(url: str, _: bytes) -> Reply:
        host = urlsplit(url).hostname
        if host != _INTERCEPTOR:
            return answer(urlsplit(url).netloc)
        path = urlsplit(url).path
        asked = urllib3.request("GET", f"http://{_LOOPBACK}:{admin}{path}", retries=False)
        return Reply(asked.data.decode())

    with (
        applied(client, [namespace(KEDA_HTTP_ADD_ON), *rights, _endpoint()]),
        serving(network) as port,
        _part(
            control_plane,
            chart,
            "interceptor",
            logs,
            {
                "HTTP_PROXY": f"http://{_LOOPBACK}:{port}",
                "KEDA_HTTP_PROXY_PORT": f"{proxy}",
                "KEDA_HTTP_ADMIN_PORT": f"{admin}",
            },
            lambda: answers(f"http://{_LOOPBACK}:{admin}/readyz"),
        ),
        _part(
            control_plane,
            chart,
            "external-scaler",
            logs,
            {"HTTP_PROXY": f"http://{_LOOPBACK}:{port}", "KEDA_HTTP_SCALER_PORT": f"{scaler}"},
            lambda: _listens(scaler),
        ),
    ):
        yield HttpAddOn(proxy, scaler)


@contextmanager
def _part(
    control_plane: ControlPlane,
    chart: tuple[Document, ...],
    name: str,
    logs: Path,
    settings: Mapping[str, str],
    is_ready: Callable[[], bool],
) -> Iterator[None]:
    """Run one of both as its Deployment says, but for where it is."""
    account = f"{_CHART}-{name}"
    (deployment,) = (
        each
        for each in chart
        if (each["kind"], each["metadata"]["name"]) == ("Deployment", account)
    )
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    environment = {
        **{each["name"]: each["value"] for each in container["env"]},
        "OTEL_PROM_EXPORTER_ENABLED": "false",
        "KUBECONFIG": str(account_kubeconfig(control_plane, KEDA_HTTP_ADD_ON, account)),
        **settings,
    }
    program = build_http_add_on(name.rpartition("-")[2])
    command: list[str | Path] = [program, *container["args"]]
    with component(account, command, logs, environment) as running:
        running.wait_until("ready", is_ready)
        yield


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection((_LOOPBACK, port), _PATIENCE_SECONDS):
        return True
    return False


def _endpoint() -> Document:
    """Return what a controller makes of the interceptor's pod."""
    service = f"{_CHART}-interceptor-admin"
    return manifest(
        "discovery.k8s.io/v1 EndpointSlice",
        service,
        KEDA_HTTP_ADD_ON,
        metadata={"labels": {"kubernetes.io/service-name": service}},
        addressType="IPv4",
        endpoints=[{"addresses": [_INTERCEPTOR], "conditions": {"ready": True}}],
        ports=[{"name": "admin", "port": 9090}],
    )
