"""Argo CD on loopback: redis, repo-server, application-controller, applicationset-controller."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.argocd.application import API_VERSION
from tests.binaries.argo_cd import ArgoCdBinaries, build_argo_cd
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.manifest import manifest
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases import crds
from upstream.fetch import Mirror

NAMESPACE = "argocd"
_KINDS = ("Application", "ApplicationSet", "AppProject")
_PART_OF = {"labels": {"app.kubernetes.io/part-of": "argocd"}}
"""Argo CD reads no configuration without it."""
_LOOPBACK = "127.0.0.1"
_RESYNC_SECONDS = 120
"""How often it looks by itself for what has changed, as it does by default but for the jitter."""
_WAVE_DELAY_SECONDS = 1
"""How long it gives others to take notice of a wave; two seconds by default."""
_GIT_VERIFY_WRAPPER = """\
#!/bin/sh
git verify-commit "$1" 2>&1 || true
"""
"""Reports who signed a commit; nobody did, which is allowed.
https://github.com/argoproj/argo-cd/blob/v3.5.7/hack/git-verify-wrapper.sh
"""


@dataclass(frozen=True, slots=True)
class _Ports:
    """Ports on loopback."""

    redis: int
    repo_server: int
    repo_server_metrics: int
    controller_metrics: int
    applicationset_metrics: int
    applicationset_probe: int
    applicationset_webhook: int


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
    _write_programs(folder)
    ports = _Ports(*free_ports(len(_Ports.__slots__)))
    kubeconfig = control_plane.files.kubeconfig(ADMIN)
    with ExitStack() as stack:

        def start(name: str, arguments: list[str], probe: str) -> None:
            surroundings = _environment(name, binaries, folder, kubeconfig)
            command: list[str | Path] = [binaries.argocd, *arguments]
            running = stack.enter_context(component(name, command, logs, surroundings))
            running.wait_until("healthy", lambda: answers(probe))

        stack.enter_context(component("redis", _redis_command(binaries, ports), logs))
        probe = f"http://127.0.0.1:{ports.repo_server_metrics}/healthz"
        start("argocd-repo-server", _repo_server_arguments(ports), probe)
        probe = f"http://127.0.0.1:{ports.controller_metrics}/healthz"
        start("argocd-application-controller", _controller_arguments(ports), probe)
        probe = f"http://127.0.0.1:{ports.applicationset_metrics}/metrics"
        start("argocd-applicationset-controller", _applicationset_arguments(ports), probe)
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


def _redis_command(binaries: ArgoCdBinaries, ports: _Ports) -> list[str | Path]:
    """Return the command of redis, which keeps nothing on disk."""
    listening = ["--bind", _LOOPBACK, "--port", str(ports.redis)]
    return [binaries.redis_server, *listening, "--save", "", "--appendonly", "no"]


def _repo_server_arguments(ports: _Ports) -> list[str]:
    """Return the arguments of what reads repositories and renders charts."""
    return [
        f"--address={_LOOPBACK}",
        f"--port={ports.repo_server}",
        f"--metrics-address={_LOOPBACK}",
        f"--metrics-port={ports.repo_server_metrics}",
        f"--redis={_LOOPBACK}:{ports.redis}",
        "--disable-tls",
        "--client-ca-path=",
    ]


def _controller_arguments(ports: _Ports) -> list[str]:
    """Return the arguments of what compares and syncs.

    Its metrics are the one thing here that listens on every address: it takes a port alone, and
    for 0 any port. https://github.com/argoproj/argo-cd/blob/v3.5.7/controller/appcontroller.go#L310
    """
    return [
        f"--namespace={NAMESPACE}",
        f"--repo-server={_LOOPBACK}:{ports.repo_server}",
        "--repo-server-plaintext",
        f"--redis={_LOOPBACK}:{ports.redis}",
        f"--metrics-port={ports.controller_metrics}",
        f"--app-resync={_RESYNC_SECONDS}",
        "--app-resync-jitter=0",
        # Says of which object an Application's health is.
        "--persist-resource-health",
    ]


def _applicationset_arguments(ports: _Ports) -> list[str]:
    """Return the arguments of what makes Applications of ApplicationSets."""
    return [
        f"--namespace={NAMESPACE}",
        f"--argocd-repo-server={_LOOPBACK}:{ports.repo_server}",
        "--repo-server-plaintext",
        f"--metrics-addr={_LOOPBACK}:{ports.applicationset_metrics}",
        f"--probe-addr={_LOOPBACK}:{ports.applicationset_probe}",
        f"--webhook-addr={_LOOPBACK}:{ports.applicationset_webhook}",
    ]


def _write_programs(folder: Path) -> None:
    """Write what Argo CD's own image has on its PATH, beside git and helm."""
    wrapper = folder / "git-verify-wrapper.sh"
    wrapper.write_text(_GIT_VERIFY_WRAPPER)
    wrapper.chmod(0o755)


def _environment(
    component: str, binaries: ArgoCdBinaries, folder: Path, kubeconfig: Path
) -> Mapping[str, str]:
    """Return what a component finds around it, a home of its own included."""
    return {
        "ARGOCD_BINARY_NAME": component,
        "KUBECONFIG": str(kubeconfig),
        # Takes https://kubernetes.default.svc for the API server of the kubeconfig.
        "ARGOCD_FAKE_IN_CLUSTER": "true",
        # No keyring is set up for signed commits, which would stand outside of this folder.
        "ARGOCD_GPG_ENABLED": "false",
        "ARGOCD_SYNC_WAVE_DELAY": str(_WAVE_DELAY_SECONDS),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PATH": os.pathsep.join([str(folder), str(binaries.helm.parent), os.environ["PATH"]]),
    }
