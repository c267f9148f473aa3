"""The real controller of Argo Rollouts, with the rights that the platform gives it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from charts_py.components.argo_rollouts.rights import ARGO_ROLLOUTS
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from tests.binaries.serving import ROLLOUTS, rollouts_crds
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.service_accounts import account_kubeconfig
from tests.e2e.manifest import manifest
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases.crds import install
from tests.e2e.releases.objects import applied

_COMPONENTS = ("namespace", "rights", "access")


@contextmanager
def running_rollouts(control_plane: ControlPlane, platform: Platform, logs: Path) -> Iterator[None]:
    """Run it as the service account that its chart makes; the definitions of its kinds stay.

    The namespaces of the teams must be there.
    """
    install(
        control_plane.admin,
        [each for file in rollouts_crds() for each in from_yaml(file.read_text())],
    )
    objects = rendered(platform, *(f"{ARGO_ROLLOUTS}-{each}" for each in _COMPONENTS))
    account = manifest("v1 ServiceAccount", ARGO_ROLLOUTS, ARGO_ROLLOUTS)
    with applied(control_plane.admin, [*objects, account]):
        kubeconfig = account_kubeconfig(control_plane, ARGO_ROLLOUTS, ARGO_ROLLOUTS)
        metrics, health = free_ports(2)
        command: list[str | Path] = [
            ROLLOUTS.build(),
            f"--kubeconfig={kubeconfig}",
            f"--metricsPort={metrics}",
            f"--healthzPort={health}",
        ]
        environment = {"POD_NAMESPACE": ARGO_ROLLOUTS}
        with component(ARGO_ROLLOUTS, command, logs, environment) as running:
            running.wait_until("healthy", lambda: answers(f"http://127.0.0.1:{health}/healthz"))
            yield
