"""Whoever reaches the webhook's port keeps no pod from its review, and gets none reviewed."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import trustme

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.attacks.port_attacker import PortAttacker
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, why_not
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.control_plane.files import write_certificate
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import plain_pod, plain_spec
from tests.e2e.webhook.platform_webhook import PlatformWebhook, serving, write_webhook_files
from tests.e2e.webhook.policy_problems import fixed_of
from tests.e2e.webhook.registration import (
    DENIED_BY_WEBHOOK,
    MAX_TIMEOUT_SECONDS,
    ServeWebhook,
    failed_open,
    registered,
    wait_until_called,
)

NAMESPACE = "port"
FIXES = "tolerations,shared-memory"
IDLE = 1_030
SLOW = 64
PODS = 30
LARGE = 200_000
"""Bytes of an annotation, so that a review arrives in parts."""
MEBIBYTE = 2**20
NAME = "kube-apiserver-webhooks"


@pytest.fixture(scope="module")
def release(render_release: RenderRelease) -> Path:
    """What is rendered of training with a webhook that judges pods as well."""
    return render_release("training", Admission.WEBHOOK_ONLY)


@pytest.fixture
def webhook(release: Path, serve_webhook: ServeWebhook) -> Iterator[PlatformWebhook]:
    """Its webhook, which a busy machine may keep waiting."""
    with serve_webhook(release, MAX_TIMEOUT_SECONDS) as running:
        yield running


def large_pod(name: str) -> Document:
    annotations = {"annotations": {"example.com/large": "a" * LARGE}}
    return manifest("v1 Pod", name, "default", annotations, spec=plain_spec())


def hostile_pod(name: str) -> Document:
    pod = plain_pod(name, "default")
    pod["spec"]["hostIPC"] = True
    return pod


def is_denied(client: ApiClient, pod: Document) -> bool:
    return why_not(client.create, pod, dryRun="All").startswith(DENIED_BY_WEBHOOK)


def resident(webhook: PlatformWebhook) -> int:
    """Return the memory of the webhook's processes."""
    supervisor = psutil.Process(webhook.process.process.pid)
    return sum(
        each.memory_info().rss for each in (supervisor, *supervisor.children(recursive=True))
    )


def test_an_attacker_at_the_port_keeps_no_pod_from_its_review(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    attacker = PortAttacker(webhook.port, webhook.files.authority)
    before = resident(webhook)
    with attacker.attacking(IDLE, SLOW):
        fixed, denied, alive = [], [], []
        for number in range(PODS):
            pods = plain_pod(f"plain-{number}", "default"), large_pod(f"large-{number}")
            fixed += [fixed_of(admin.create(pod, dryRun="All").document) for pod in pods]
            denied.append(is_denied(admin, hostile_pod(f"hostile-{number}")))
            alive.append(webhook.get("/livez").status)
        taken = (resident(webhook) - before) / MEBIBYTE
    assert (fixed, denied, alive) == ([FIXES] * 2 * PODS, [True] * PODS, [200] * PODS)
    assert taken < 300
    evidence.show(
        f"With {IDLE:,} idle connections, {SLOW} slow bodies and heads without end at the port of "
        "the webhook, from the address of the API server, pods are fixed and refused all the same.",
        f"{2 * PODS} of {2 * PODS} pods fixed, half of them of {LARGE:,} bytes; {PODS} of {PODS} "
        f"refused; `/livez` answers {PODS} of {PODS} times",
    )


@pytest.fixture
def clients() -> trustme.CA:
    """The authority of the API server's client certificate."""
    return trustme.CA()


@pytest.fixture
def known(
    clients: trustme.CA,
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ControlPlane]:
    """A control plane whose API server shows webhooks a certificate."""
    folder = tmp_path_factory.mktemp("known")
    option = f"--admission-control-config-file={_admission_configuration(clients, folder)}"
    with running_control_plane(control_plane_binaries, folder, component_logs, option) as running:
        yield running


def _admission_configuration(clients: trustme.CA, folder: Path) -> Path:
    """Write how docs/webhook.md says that it is written; the webhook has no Service here."""
    issued = clients.issue_cert(common_name=NAME)
    certificate, key = folder / "webhooks.crt", folder / "webhooks.key"
    write_certificate(issued, certificate, key)
    users = [
        {"name": "*", "user": {"client-certificate": str(certificate), "client-key": str(key)}}
    ]
    kubeconfig = folder / "webhooks.kubeconfig"
    kubeconfig.write_text(to_yaml({"apiVersion": "v1", "kind": "Config", "users": users}))
    group = {"apiVersion": "apiserver.config.k8s.io/v1"}
    webhooks = {"kind": "WebhookAdmissionConfiguration", "kubeConfigFile": str(kubeconfig)}
    plugins = [
        {"name": name, "configuration": {**group, **webhooks}}
        for name in ("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook")
    ]
    file = folder / "admission.yaml"
    file.write_text(to_yaml({**group, "kind": "AdmissionConfiguration", "plugins": plugins}))
    return file


@pytest.fixture
def guarded(
    clients: trustme.CA, release: Path, component_logs: Path, tmp_path: Path
) -> Iterator[PlatformWebhook]:
    """A webhook that answers whom the authority of clients vouches for."""
    files = write_webhook_files(release, tmp_path)
    authority = tmp_path / "clients.crt"
    clients.cert_pem.write_to_path(authority)
    options = ("--client-ca", authority, "--client-name", NAME, "--operations-port", "0")
    with serving(files, component_logs, 0, *options) as running:
        yield running


def test_only_an_api_server_with_a_certificate_gets_pods_reviewed(
    admin: ApiClient,
    control_plane: ControlPlane,
    known: ControlPlane,
    guarded: PlatformWebhook,
    release: Path,
    evidence: Evidence,
) -> None:
    pod = plain_pod("reviewed", "default")
    with registered(known.admin, release, guarded.address, guarded.files) as configurations:
        wait_until_called(known.admin, guarded, configurations)
        fixed = fixed_of(known.admin.create(pod, dryRun="All").document)
        denied = is_denied(known.admin, hostile_pod("hostile"))
    reviews = guarded.fixes()
    with (
        registered(admin, release, guarded.address, guarded.files),
        applied(admin, [namespace(NAMESPACE)]),
    ):
        unfixed, left_out = _created_without_the_webhook(admin, control_plane.audit_log)
    assert (fixed, denied) == (FIXES, True)
    assert (unfixed, left_out) == (None, "mutate.pods.gpuplane.io")
    assert guarded.fixes() == reviews
    evidence.show(
        "With a client authority, the webhook answers an API server that shows its certificate by "
        "`--admission-control-config-file`, and no other.",
        "with: fixed, and refused; without: 0 reviews answered",
    )


def _created_without_the_webhook(
    client: ApiClient, audit_log: Path
) -> tuple[str | None, str | None]:
    """Create pods until the API server, which reads of webhooks late, calls the webhook in vain."""
    names = (f"unknown-{number}" for number in itertools.count())

    def create() -> tuple[str | None, str | None]:
        pod = plain_pod(next(names), NAMESPACE)
        fixed = fixed_of(client.create(pod).document)
        return fixed, failed_open(audit_log, pod)

    return once_seen(create, lambda found: found[1], "the webhook is called")
