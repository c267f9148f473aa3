"""etcd, API server, controller manager and scheduler on loopback."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.control_plane.api_client import ApiClient, connect
from tests.e2e.control_plane.commands import (
    api_server_arguments,
    controller_manager_arguments,
    etcd_arguments,
    scheduler_arguments,
)
from tests.e2e.control_plane.files import ADMIN, ControlPlaneFiles, write_files
from tests.e2e.control_plane.namespaces import wait_for_namespace
from tests.e2e.processes.component import ComponentProcess, answers, component, free_ports


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """A running control plane."""

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
        arguments = api_server_arguments(files, server_port, etcd, audit_log)
        api_server = start(binaries.kube_apiserver, [*arguments, *options])
        api_server.wait_until("ready", lambda: answers(f"{files.server}/readyz", files.authority))
        controllers = start(
            binaries.kube_controller_manager, controller_manager_arguments(files, controllers_port)
        )
        scheduler = start(binaries.kube_scheduler, scheduler_arguments(files, scheduler_port))
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
        command: list[str | Path] = [program, *etcd_arguments(data, clients, peers)]
        with component("etcd", command, logs) as etcd:
            etcd.wait_until("healthy", lambda: answers(f"{clients}/health"))
            yield clients


def _wait_until_healthy(running: ComponentProcess, port: int, files: ControlPlaneFiles) -> None:
    url = f"https://127.0.0.1:{port}/healthz"
    running.wait_until("healthy", lambda: answers(url, files.authority))
