"""KEDA's operator and adapter, with the rights that their chart gives them on the platform."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from charts_py.components.definition import Definition
from charts_py.components.keda import KEDA, KEDA_NAME
from charts_py.helm.program import Helm
from charts_py.helm.release import Release, Renderer
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from tests.binaries.pinned_program import HELM
from tests.binaries.serving import KEDA_ADAPTER, KEDA_OPERATOR, keda_crds
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.files import write_certificate
from tests.e2e.control_plane.service_accounts import account_kubeconfig
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases.crds import install, pinned_files
from tests.e2e.releases.objects import applied, namespace

_LOOPBACK = "127.0.0.1"
RIGHTS = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ServiceAccount")
_ENVIRONMENT = {
    "POD_NAMESPACE": KEDA_NAME,
    # It reads this of its pod otherwise.
    "KEDA_CLUSTER_OBJECT_NAMESPACE": KEDA_NAME,
    "WATCH_NAMESPACE": "",
    "KEDA_RESTRICT_SECRET_ACCESS": "true",
}
_API = "external.metrics.k8s.io/v1beta1"


def front_proxy(folder: Path) -> list[str]:
    """Return options by which an API server passes requests on to others, and files for them.

    https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/
    """
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "front-proxy-ca.crt")
    certificate, key = (folder / f"front-proxy.{end}" for end in ("crt", "key"))
    write_certificate(authority.issue_cert("front-proxy"), certificate, key)
    return [
        f"--requestheader-client-ca-file={folder / 'front-proxy-ca.crt'}",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        f"--proxy-client-cert-file={certificate}",
        f"--proxy-client-key-file={key}",
    ]


@dataclass(frozen=True, slots=True)
class _Ports:
    """Where both serve, on loopback; the adapter asks the operator at `answers`."""

    operator_metrics: int
    operator_health: int
    answers: int
    adapter_metrics: int
    adapter: int


@contextmanager
def running_keda(
    control_plane: ControlPlane, platform: Platform, folder: Path, logs: Path
) -> Iterator[None]:
    """Run both, and have the API server ask the adapter; the definitions of their kinds stay.

    A Service leads to this machine in place of their pods, whose certificate nobody verifies.
    """
    client, ports = control_plane.admin, _Ports(*free_ports(5))
    install(client, [each for file in keda_crds() for each in from_yaml(file.read_text())])
    rights = [each for each in rendered_chart(KEDA, platform) if each["kind"] in RIGHTS]
    certificates = _certificates(control_plane, folder)
    with (
        applied(client, [namespace(KEDA_NAME), *rights]),
        _operator(control_plane, ports, certificates, logs),
        _adapter(control_plane, ports, certificates, logs),
        applied(client, _leading_to(ports.adapter)),
    ):
        once_seen(lambda: client.serves(_API, "ExternalMetricValueList"), what=f"{_API} is served")
        yield


@contextmanager
def _operator(
    control_plane: ControlPlane, ports: _Ports, certificates: Path, logs: Path
) -> Iterator[None]:
    kubeconfig = account_kubeconfig(control_plane, KEDA_NAME, "keda-operator")
    command: list[str | Path] = [
        KEDA_OPERATOR.build(),
        "--leader-elect",
        f"--cert-dir={certificates}",
        f"--metrics-bind-address={_LOOPBACK}:{ports.operator_metrics}",
        f"--health-probe-bind-address={_LOOPBACK}:{ports.operator_health}",
        f"--metrics-service-bind-address={_LOOPBACK}:{ports.answers}",
    ]
    environment = {**_ENVIRONMENT, "KUBECONFIG": str(kubeconfig)}
    probe = f"http://{_LOOPBACK}:{ports.operator_health}/readyz"
    with component("keda-operator", command, logs, environment) as running:
        running.wait_until("ready", lambda: answers(probe))
        yield


@contextmanager
def _adapter(
    control_plane: ControlPlane, ports: _Ports, certificates: Path, logs: Path
) -> Iterator[None]:
    kubeconfig = account_kubeconfig(control_plane, KEDA_NAME, "keda-metrics-server")
    command: list[str | Path] = [
        KEDA_ADAPTER.build(),
        f"--bind-address={_LOOPBACK}",
        f"--cert-dir={certificates}",
        f"--tls-cert-file={certificates / 'tls.crt'}",
        f"--tls-private-key-file={certificates / 'tls.key'}",
        f"--port={ports.adapter_metrics}",
        f"--secure-port={ports.adapter}",
        f"--metrics-service-address={_LOOPBACK}:{ports.answers}",
        f"--lister-kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
    ]
    environment = {**_ENVIRONMENT, "KUBECONFIG": str(kubeconfig)}
    probe, authority = f"https://{_LOOPBACK}:{ports.adapter}/readyz", control_plane.files.authority
    with component("keda-adapter", command, logs, environment) as running:
        running.wait_until("ready", lambda: answers(probe, authority))
        yield


def rendered_chart(definition: Definition, platform: Platform) -> tuple[Document, ...]:
    """Return the objects of the one chart of a component."""
    (part,) = (each for each in definition.plan(platform) if each.helm is not None)
    assert part.helm is not None
    release = Release(
        name=part.name,
        namespace=part.namespace,
        chart=part.helm.chart,
        is_released=part.helm.path is None,
        values=part.helm.values,
        kinds=part.helm.kinds,
        skips_definitions=part.helm.skips_definitions,
    )
    kubernetes = platform.cluster.kubernetes.value
    return Renderer(Helm(HELM.build()), pinned_files().directory, kubernetes).objects(release)


def _certificates(control_plane: ControlPlane, folder: Path) -> Path:
    """Return a folder with what both show each other, as the operator makes it in a cluster."""
    files = control_plane.files
    (certificates := folder / "keda-certificates").mkdir()
    shutil.copy(files.authority, certificates / "ca.crt")
    shutil.copy(files.certificate, certificates / "tls.crt")
    shutil.copy(files.key, certificates / "tls.key")
    return certificates


def _leading_to(port: int) -> list[Document]:
    name, spec = "adapter", {"type": "ExternalName", "externalName": "localhost"}
    group, _, version = _API.partition("/")
    asked = {
        "group": group,
        "version": version,
        "groupPriorityMinimum": 100,
        "versionPriority": 100,
        "service": {"name": name, "namespace": KEDA_NAME, "port": port},
        "insecureSkipTLSVerify": True,
    }
    kind = "apiregistration.k8s.io/v1 APIService"
    return [
        manifest("v1 Service", name, KEDA_NAME, spec=spec),
        manifest(kind, f"{version}.{group}", spec=asked),
    ]
