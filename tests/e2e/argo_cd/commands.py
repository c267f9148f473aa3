"""How the components of Argo CD are called."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.argo_cd import ArgoCdBinaries

NAMESPACE = "argocd"
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
class ArgoCdPorts:
    """Ports on loopback."""

    redis: int
    repo_server: int
    repo_server_metrics: int
    controller_metrics: int
    applicationset_metrics: int
    applicationset_probe: int
    applicationset_webhook: int


def redis_command(binaries: ArgoCdBinaries, ports: ArgoCdPorts) -> list[str | Path]:
    """Return the command of redis, which keeps nothing on disk."""
    listening = ["--bind", _LOOPBACK, "--port", str(ports.redis)]
    return [binaries.redis_server, *listening, "--save", "", "--appendonly", "no"]


def repo_server_arguments(ports: ArgoCdPorts) -> list[str]:
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


def controller_arguments(ports: ArgoCdPorts) -> list[str]:
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


def applicationset_arguments(ports: ArgoCdPorts) -> list[str]:
    """Return the arguments of what makes Applications of ApplicationSets."""
    return [
        f"--namespace={NAMESPACE}",
        f"--argocd-repo-server={_LOOPBACK}:{ports.repo_server}",
        "--repo-server-plaintext",
        f"--metrics-addr={_LOOPBACK}:{ports.applicationset_metrics}",
        f"--probe-addr={_LOOPBACK}:{ports.applicationset_probe}",
        f"--webhook-addr={_LOOPBACK}:{ports.applicationset_webhook}",
    ]


def write_programs(folder: Path) -> None:
    """Write what Argo CD's own image has on its PATH, beside git and helm."""
    wrapper = folder / "git-verify-wrapper.sh"
    wrapper.write_text(_GIT_VERIFY_WRAPPER)
    wrapper.chmod(0o755)


def environment(
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
