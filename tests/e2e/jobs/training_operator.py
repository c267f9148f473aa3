"""The real training operator, as the platform runs it, with its rights and nothing more."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from charts_py.components.training_operator.definition import (
    DEFINITIONS,
    INIT_CONFIG_MAP,
    WEBHOOK_SECRET,
)
from charts_py.components.training_operator.rights import (
    NAMESPACE,
    TRAINING_OPERATOR,
    TRAINING_OPERATOR_ACCESS,
)
from charts_py.objects.document import Document
from charts_py.rendering.rendered_charts import manifest_objects
from tests.binaries import training
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.service_accounts import account_kubeconfig
from tests.e2e.processes.component import answers, component, free_ports
from tests.e2e.releases.crds import install
from tests.e2e.releases.objects import applied, read_release
from upstream.fetch import Mirror

_CERTIFICATES = Path("/tmp/k8s-webhook-server/serving-certs")  # noqa: S108 # it knows no other
_LEFT_OUT = ("--leader-elect", "--kube-api-")
"""A process that is no pod has no namespace for a lease, and the pinned version, the last that the
Go proxy has, no bound of its own on requests."""
_NOWHERE = {"matchLabels": {"kubernetes.io/metadata.name": "none"}}


@contextmanager
def running_training_operator(
    control_plane: ControlPlane, release: Path, mirror: Mirror, folder: Path, logs: Path
) -> Iterator[None]:
    """Run the operator of a release against an API server; the definitions of its kinds stay.

    It acts as its service account. There is no kubelet: the Deployment is left out, and the test
    puts the certificate, which the operator makes, where its pod would find it. No Service leads
    to it, so that the API server asks it about no namespace.
    """
    client = control_plane.admin
    install(client, list(manifest_objects(DEFINITIONS, mirror.directory)))
    with applied(client, _objects(release)):
        ports = dict(zip(("webhook-server-port", "probe", "metrics"), free_ports(3), strict=True))
        command: list[str | Path] = [
            training.TRAINING_OPERATOR.build(),
            *_arguments(release, folder, ports),
        ]
        kubeconfig = account_kubeconfig(control_plane, NAMESPACE, TRAINING_OPERATOR)
        environment = {"KUBECONFIG": str(kubeconfig), "MY_POD_NAMESPACE": NAMESPACE}
        with component(TRAINING_OPERATOR, command, logs, environment) as running:
            running.wait_until("certified", lambda: _mount_certificate(control_plane.admin))
            probe = f"http://127.0.0.1:{ports['probe']}/readyz"
            running.wait_until("ready", lambda: answers(probe))
            yield


def _objects(release: Path) -> Iterator[Document]:
    yield from read_release(release, f"{NAMESPACE}-namespace", TRAINING_OPERATOR_ACCESS.name)
    for each in read_release(release, TRAINING_OPERATOR):
        if each["kind"] == "ValidatingWebhookConfiguration":
            hooks = [{**hook, "namespaceSelector": _NOWHERE} for hook in each["webhooks"]]
            yield {**each, "webhooks": hooks}
        elif each["kind"] != "Deployment":
            yield each


def _arguments(release: Path, folder: Path, ports: dict[str, int]) -> Iterator[str]:
    """Yield what the Deployment says, and where this process listens and reads."""
    objects = read_release(release, TRAINING_OPERATOR)
    (deployment,) = (each for each in objects if each["kind"] == "Deployment")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    images = {f"$({each['name']})": each["value"] for each in container["env"] if "value" in each}
    for argument in container["args"]:
        name, _, value = argument.partition("=")
        if not argument.startswith(_LEFT_OUT):
            yield f"{name}={images.get(value, value)}"
    (template,) = (each for each in objects if each["metadata"]["name"] == INIT_CONFIG_MAP)
    ((name, text),) = template["data"].items()
    (folder / name).write_text(text)
    yield f"--pytorch-init-container-template-file={folder / name}"
    yield f"--webhook-server-port={ports['webhook-server-port']}"
    yield f"--health-probe-bind-address=127.0.0.1:{ports['probe']}"
    yield f"--metrics-bind-address=127.0.0.1:{ports['metrics']}"


def _mount_certificate(client: ApiClient) -> bool:
    """Write the Secret into the folder of its volume, as the kubelet does, once it has data."""
    data = client.get("v1", "Secret", WEBHOOK_SECRET, NAMESPACE).get("data", {})
    _CERTIFICATES.mkdir(parents=True, exist_ok=True)
    for name, content in data.items():
        (_CERTIFICATES / name).write_bytes(base64.b64decode(content))
    return bool(data)
