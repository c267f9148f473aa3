"""Argo CD on loopback: redis, repo-server, application-controller, applicationset-controller."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from charts_py.argocd.application import API_VERSION
from tests.binaries.argo_cd import build_argo_cd
from tests.e2e.argo_cd.commands import (
    NAMESPACE,
    ArgoCdPorts,
    applicationset_arguments,
    controller_arguments,
    environment,
    redis_command,
    repo_server_arguments,
    write_programs,
)
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.manifest import manifest
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases import crds
from upstream.fetch import Mirror

_KINDS = ("Application", "ApplicationSet", "AppProject")
_PART_OF = {"labels": {"app.kubernetes.io/part-of": "argocd"}}
"""Argo CD reads no configuration without it."""


@contextmanager
def running_argo_cd(
    control_plane: ControlPlane, mirror: Mirror, folder: Path, logs: Path
) -> Iterator[None]:
    """Install Argo CD in a control plane, for which https://kubernetes.default.svc stands.

    It may do everything there, as one does that was installed for the whole cluster. `mirror` holds
    the pinned CustomResourceDefinitions; `folder` is made. Raises BuildError or ComponentError.
    """
    binaries = build_argo_cd()
    _install(control_plane.admin, mirror)
    folder.mkdir()
    write_programs(folder)
    ports = ArgoCdPorts(*free_ports(len(ArgoCdPorts.__slots__)))
    kubeconfig = control_plane.files.kubeconfig(ADMIN)
    with ExitStack() as stack:

        def start(name: str, arguments: list[str], probe: str) -> None:
            surroundings = environment(name, binaries, folder, kubeconfig)
            command: list[str | Path] = [binaries.argocd, *arguments]
            running = stack.enter_context(component(name, command, logs, surroundings))
            running.wait_until("healthy", lambda: answers(probe))

        stack.enter_context(component("redis", redis_command(binaries, ports), logs))
        probe = f"http://127.0.0.1:{ports.repo_server_metrics}/healthz"
        start("argocd-repo-server", repo_server_arguments(ports), probe)
        probe = f"http://127.0.0.1:{ports.controller_metrics}/healthz"
        start("argocd-application-controller", controller_arguments(ports), probe)
        probe = f"http://127.0.0.1:{ports.applicationset_metrics}/metrics"
        start("argocd-applicationset-controller", applicationset_arguments(ports), probe)
        yield


def _install(client: ApiClient, mirror: Mirror) -> None:
    """Create kinds, namespace, configuration and the project `default`."""
    kinds = [{"apiVersion": API_VERSION, "kind": kind} for kind in _KINDS]
    crds.install(client, crds.definitions_of(kinds, mirror))
    make_namespace(client, NAMESPACE)
    for name in ("argocd-cm", "argocd-rbac-cm"):
        client.create(manifest("v1 ConfigMap", name, NAMESPACE, _PART_OF))
    secret = {"server.secretkey": secrets.token_hex()}
    client.create(manifest("v1 Secret", "argocd-secret", NAMESPACE, _PART_OF, stringData=secret))
    everything = {
        "sourceRepos": ["*"],
        "destinations": [{"server": "*", "namespace": "*"}],
        "clusterResourceWhitelist": [{"group": "*", "kind": "*"}],
    }
    client.create(manifest(f"{API_VERSION} AppProject", "default", NAMESPACE, spec=everything))
