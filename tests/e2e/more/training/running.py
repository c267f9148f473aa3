"""Kubeflow Trainer and JobSet as processes beside a control plane, with their webhooks."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from tests.binaries.training import TrainingPrograms
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases.crds import install

_LOOPBACK = "127.0.0.1"
_OFF = "0"
"""Address of a metrics server that is off."""


@dataclass(frozen=True, slots=True)
class _Controller:
    name: str
    program: Path
    webhooks: Path
    configuration: Document
    """Besides the addresses where it serves."""


@contextmanager
def running_training(
    control_plane: ControlPlane, programs: TrainingPrograms, logs: Path
) -> Iterator[None]:
    """Install the kinds of both, run both, and let the API server ask their webhooks."""
    definitions = [each for file in programs.crds for each in from_yaml(file.read_text())]
    install(control_plane.admin, definitions)
    with ExitStack() as stack:
        for controller in _controllers(programs):
            stack.enter_context(_running(control_plane, controller, logs))
        yield


def _controllers(programs: TrainingPrograms) -> Iterator[_Controller]:
    yield _Controller(
        "jobset",
        programs.job_set,
        programs.job_set_webhooks,
        {
            "apiVersion": "config.jobset.x-k8s.io/v1alpha1",
            "internalCertManagement": {"enable": False},
        },
    )
    yield _Controller(
        "trainer",
        programs.trainer,
        programs.trainer_webhooks,
        {"apiVersion": "config.trainer.kubeflow.org/v1alpha1", "certManagement": {"enable": False}},
    )


@contextmanager
def _running(control_plane: ControlPlane, controller: _Controller, logs: Path) -> Iterator[None]:
    webhook_port, probe_port = free_ports(2)
    files = control_plane.files
    configuration = files.write(
        f"{controller.name}.json",
        {
            **controller.configuration,
            "kind": "Configuration",
            "leaderElection": {"leaderElect": False},
            "metrics": {"bindAddress": _OFF},
            "health": {"healthProbeBindAddress": f"{_LOOPBACK}:{probe_port}"},
            "webhook": {"host": _LOOPBACK, "port": webhook_port},
        },
    )
    environment = {
        "KUBECONFIG": str(files.kubeconfig(ADMIN)),
        "TMPDIR": str(_certificates(control_plane, controller)),
    }
    command: list[str | Path] = [controller.program, f"--config={configuration}"]
    with component(controller.name, command, logs, environment) as running:
        running.wait_until("ready", lambda: answers(f"http://{_LOOPBACK}:{probe_port}/readyz"))
        for each in from_yaml(controller.webhooks.read_text()):
            control_plane.admin.apply(_answered_at(each, webhook_port, files.authority))
        yield


def _certificates(control_plane: ControlPlane, controller: _Controller) -> Path:
    """Return a folder for temporary files where the webhook server finds its certificate.

    https://github.com/kubernetes-sigs/controller-runtime, pkg/webhook/server.go: `CertDir`
    """
    files = control_plane.files
    folder = files.folder / controller.name
    (certificates := folder / "k8s-webhook-server" / "serving-certs").mkdir(parents=True)
    shutil.copy(files.certificate, certificates / "tls.crt")
    shutil.copy(files.key, certificates / "tls.key")
    return folder


def _answered_at(configuration: Document, port: int, authority: Path) -> Document:
    """Return the configuration of webhooks with where they answer in place of a Service."""
    bundle = base64.b64encode(authority.read_bytes()).decode()
    webhooks = [
        {
            **webhook,
            "clientConfig": {
                "url": f"https://{_LOOPBACK}:{port}{webhook['clientConfig']['service']['path']}",
                "caBundle": bundle,
            },
        }
        for webhook in configuration["webhooks"]
    ]
    return {**configuration, "webhooks": webhooks}
