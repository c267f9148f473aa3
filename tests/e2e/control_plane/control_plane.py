"""etcd, API server, controller manager and scheduler on loopback."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.objects.document import Document
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.control_plane.api_client import ApiClient, connect
from tests.e2e.control_plane.files import (
    ADMIN,
    CONTROLLER_MANAGER,
    SCHEDULER,
    ControlPlaneFiles,
    write_files,
)
from tests.e2e.control_plane.namespaces import wait_for_namespace
from tests.e2e.processes.component import ComponentProcess, answers, component, free_ports

_LONGER_THAN_ANY_SESSION = "24h"
_REQUESTS_A_SECOND = 500
"""Of a component's own client: the defaults, 20 to 50, are for a cluster that others use too."""
_DELETED_AT_ONCE = 8
"""Of the objects that one request deletes; by default the next waits for the one before."""
_AUDIT_POLICY: Document = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {"level": "None", "verbs": ["get", "list", "watch"]},
        {"level": "Request", "resources": [{"group": "", "resources": ["pods"]}]},
        {"level": "Metadata"},
    ],
}


@dataclass(frozen=True, slots=True)
class ControlPlane:
    server: str
    """Address of the API server."""
    admin: ApiClient
    """A client in the group system:masters."""
    files: ControlPlaneFiles
    audit_log: Path
    """JSON events, one a line: pods as they were sent, before any webhook."""
    api_server: ComponentProcess


@contextmanager
def running_control_plane(
    binaries: ControlPlaneBinaries, folder: Path, logs: Path, *options: str
) -> Iterator[ControlPlane]:
    """Run a control plane with its files in one folder, and `<component>.log` in another.

    The API server has such options besides its own. Raises ComponentError. All ends with the
    context, the last started first.
    """
    server_port, controllers_port, scheduler_port = free_ports(3)
    files = write_files(folder, f"https://127.0.0.1:{server_port}")
    audit_log = folder / "audit.log"
    with ExitStack() as stack:

        def start(program: Path, arguments: list[str]) -> ComponentProcess:
            return stack.enter_context(component(program.name, [program, *arguments], logs))

        etcd = stack.enter_context(_etcd(binaries.etcd, folder, logs))
        arguments = _api_server_arguments(files, server_port, etcd, audit_log)
        api_server = start(binaries.kube_apiserver, [*arguments, *options])
        api_server.wait_until("ready", lambda: answers(f"{files.server}/readyz", files.authority))
        controllers = start(
            binaries.kube_controller_manager, _controller_manager_arguments(files, controllers_port)
        )
        scheduler = start(binaries.kube_scheduler, _scheduler_arguments(files, scheduler_port))
        _wait_until_healthy(controllers, controllers_port, files)
        _wait_until_healthy(scheduler, scheduler_port, files)
        admin = connect(files.server, files.tokens[ADMIN], files.authority)
        wait_for_namespace(admin, "default")
        yield ControlPlane(files.server, admin, files, audit_log, api_server)


@contextmanager
def _etcd(program: Path, folder: Path, logs: Path) -> Iterator[str]:
    """Run etcd; yield where it serves clients. Its data go with it."""
    clients, peers = (f"http://127.0.0.1:{port}" for port in free_ports(2))
    with tempfile.TemporaryDirectory(dir=folder, prefix="etcd-") as data:
        command: list[str | Path] = [program, *_etcd_arguments(data, clients, peers)]
        with component("etcd", command, logs) as etcd:
            etcd.wait_until("healthy", lambda: answers(f"{clients}/health"))
            yield clients


def _wait_until_healthy(running: ComponentProcess, port: int, files: ControlPlaneFiles) -> None:
    url = f"https://127.0.0.1:{port}/healthz"
    running.wait_until("healthy", lambda: answers(url, files.authority))


def _etcd_arguments(data: str, clients: str, peers: str) -> list[str]:
    """Return the arguments of etcd, which serves clients and peers at two addresses."""
    return [
        f"--data-dir={data}",
        f"--listen-client-urls={clients}",
        f"--advertise-client-urls={clients}",
        f"--listen-peer-urls={peers}",
        f"--initial-advertise-peer-urls={peers}",
        f"--initial-cluster=default={peers}",
        "--unsafe-no-fsync",
    ]


def _api_server_arguments(
    files: ControlPlaneFiles, port: int, etcd: str, audit_log: Path
) -> list[str]:
    return [
        f"--etcd-servers={etcd}",
        *_serving(files, port),
        f"--token-auth-file={files.token_file}",
        "--authorization-mode=RBAC",
        f"--service-account-issuer={files.server}",
        f"--service-account-key-file={files.key}",
        f"--service-account-signing-key-file={files.key}",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--endpoint-reconciler-type=none",
        f"--audit-policy-file={files.write('audit-policy.json', _AUDIT_POLICY)}",
        f"--audit-log-path={audit_log}",
        "--allow-privileged",  # as every cluster with a network plugin says
        f"--delete-collection-workers={_DELETED_AT_ONCE}",
    ]


def _controller_manager_arguments(files: ControlPlaneFiles, port: int) -> list[str]:
    return [
        f"--kubeconfig={files.kubeconfig(CONTROLLER_MANAGER)}",
        *_serving(files, port),
        *_delegating(files.kubeconfig(CONTROLLER_MANAGER)),
        f"--root-ca-file={files.authority}",
        f"--service-account-private-key-file={files.key}",
        "--use-service-account-credentials",
        "--leader-elect=false",
        f"--kube-api-qps={_REQUESTS_A_SECOND}",
        f"--kube-api-burst={_REQUESTS_A_SECOND}",
        # Nobody renews the leases of nodes without a kubelet.
        f"--node-monitor-grace-period={_LONGER_THAN_ANY_SESSION}",
    ]


def _scheduler_arguments(files: ControlPlaneFiles, port: int) -> list[str]:
    configuration: Document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False},
        "clientConnection": {
            "kubeconfig": str(files.kubeconfig(SCHEDULER)),
            "qps": _REQUESTS_A_SECOND,
            "burst": _REQUESTS_A_SECOND,
        },
    }
    return [
        f"--config={files.write('scheduler.json', configuration)}",
        *_serving(files, port),
        *_delegating(files.kubeconfig(SCHEDULER)),
    ]


def _serving(files: ControlPlaneFiles, port: int) -> list[str]:
    return [
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--tls-cert-file={files.certificate}",
        f"--tls-private-key-file={files.key}",
    ]


def _delegating(kubeconfig: Path) -> list[str]:
    return [
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        # Callers show no certificates here, so that there is no authority to look up.
        "--authentication-skip-lookup",
    ]
